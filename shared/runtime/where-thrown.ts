import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { fileURLToPath } from "node:url";

/** Most places of one error: the innermost ones. */
const MAX_PLACES = 8;

/** `…(file:///var/task/index.mjs?v=2:1:239)` → file, line and column, both from 1. */
const frame = /[\s(]((?:file:\/\/)?\/[^\s()?]+)(?:\?[^\s():]*)?:(\d+):(\d+)\)?$/;

/** By bundled file; undefined for one without a map. */
const maps = new Map<string, SourceMap | undefined>();

/**
 * Where in our own sources, `registry/` included, an error was thrown: `registry/tools/refund.ts:12:9`, the innermost
 * place first. Bundles are minified; their source maps are read only here, so that only a failure pays for them.
 *
 * @returns places in bundled code if there is no map; nothing for a value that is no error, or that only packages threw
 */
export function whereThrown(error: unknown): string[] {
  const stack = error instanceof Error ? error.stack : undefined;
  const places: string[] = [];
  for (const line of stack?.split("\n") ?? []) {
    const place = placeOf(line);
    if (place !== undefined && places.at(-1) !== place) places.push(place);
    if (places.length === MAX_PLACES) break;
  }
  return places;
}

function placeOf(line: string): string | undefined {
  const [, location, row, column] = frame.exec(line) ?? [];
  if (location === undefined) return undefined;
  const file = location.startsWith("file:") ? fileURLToPath(location) : location;
  const origin = mapOf(file)?.findOrigin(Number(row), Number(column));
  if (!origin || !("fileName" in origin))
    return isOurs(file) ? `${withoutTop(file)}:${row}:${column}` : undefined;
  const { fileName, lineNumber, columnNumber } = origin;
  return isPackage(fileName) ? undefined : `${withoutParents(fileName)}:${lineNumber}:${columnNumber}`;
}

const isPackage = (path: string): boolean => path.includes("node_modules/");
/** On AWS the working folder holds only the bundle, not the runtime that calls it. */
const isOurs = (path: string): boolean => path.startsWith(`${process.cwd()}/`) && !isPackage(path);
const withoutTop = (path: string): string => path.slice(process.cwd().length + 1);
/** Maps name a source by its path relative to the bundle. */
const withoutParents = (path: string): string => path.replace(/^(\.\.\/)+/, "");

function mapOf(file: string): SourceMap | undefined {
  if (!maps.has(file)) maps.set(file, readMap(file));
  return maps.get(file);
}

function readMap(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${file}.map`, "utf8")));
  } catch {
    return undefined;
  }
}

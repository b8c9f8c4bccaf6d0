import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { fileURLToPath } from "node:url";

/** Places of one error at most: those nearest to the fault. */
const MOST = 8;

/** `…(file:///var/task/index.mjs?v=2:1:239)` → file, line and column, both from 1. */
const frame = /[\s(]((?:file:\/\/)?\/[^\s()?]+)(?:\?[^\s():]*)?:(\d+):(\d+)\)?$/;

/** By bundled file; undefined for one without a map. */
const maps = new Map<string, SourceMap | undefined>();

/**
 * Where in our own sources, those of `registry/` among them, an error came about: `registry/tools/refund.ts:12:9`, the
 * innermost place first. Bundles are minified, and their maps are read here and nowhere else: only a failure pays for them.
 *
 * @returns places in bundled code where no map is at hand; nothing for what is no error, or has passed through packages only
 */
export function whereThrown(error: unknown): string[] {
  const stack = error instanceof Error ? error.stack : undefined;
  const places: string[] = [];
  for (const line of stack?.split("\n") ?? []) {
    const place = placeOf(line);
    if (place !== undefined && places.at(-1) !== place) places.push(place);
    if (places.length === MOST) break;
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
  return isPackage(fileName) ? undefined : `${withoutWayUp(fileName)}:${lineNumber}:${columnNumber}`;
}

const isPackage = (path: string): boolean => path.includes("node_modules/");
/** On AWS the bundle alone lies in the working folder, and not what calls it. */
const isOurs = (path: string): boolean => path.startsWith(`${process.cwd()}/`) && !isPackage(path);
const withoutTop = (path: string): string => path.slice(process.cwd().length + 1);
/** Maps name a source by the way from the bundle to it. */
const withoutWayUp = (path: string): string => path.replace(/^(\.\.\/)+/, "");

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

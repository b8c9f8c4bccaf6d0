import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { fileURLToPath } from "node:url";

/** Most places of one error: the innermost ones. */
const MAX_PLACES = 8;

/** `…(file:///var/task/index.mjs?v=2:1:239)` → file, line and column, both from 1. */
const frame = /[\s(]((?:file:\/\/)?\/[^\s()?]+)(?:\?[^\s():]*)?:(\d+):(\d+)\)?$/;

/** By bundled file; undefined for one without a map. */
const maps = new Map<string, SourceMap | undefined>();

/** How places are named; undefined for a place that is not shown. */
export type Naming = {
  /** @param source  as the map of the bundled file names it: relative to that file */
  readonly ofSource: (source: string, bundled: string) => string | undefined;
  /** Of a file without a map. */
  readonly ofFile: (file: string) => string | undefined;
};

const isPackage = (path: string): boolean => path.includes("node_modules/");

/** As a function sees them, of which neither the folder nor the bundle is where it was built. */
const inFunction: Naming = {
  ofSource: (source) => (isPackage(source) ? undefined : source.replace(/^(\.\.\/)+/, "")),
  // On AWS the working folder holds only the bundle, not the runtime that calls it.
  ofFile: (file) => {
    const top = `${process.cwd()}/`;
    return file.startsWith(top) && !isPackage(file) ? file.slice(top.length) : undefined;
  },
};

/**
 * Where in our own sources, `registry/` included, an error was thrown: `registry/tools/refund.ts:12:9`, the innermost
 * place first. Bundles are minified; their source maps are read only here, so that only a failure pays for them.
 *
 * @returns places in bundled code if there is no map; nothing for a value that is no error, or that only packages threw
 */
export function whereThrown(error: unknown, naming: Naming = inFunction): string[] {
  const stack = error instanceof Error ? error.stack : undefined;
  const places: string[] = [];
  for (const line of stack?.split("\n") ?? []) {
    const place = placeOf(line, naming);
    if (place !== undefined && places.at(-1) !== place) places.push(place);
    if (places.length === MAX_PLACES) break;
  }
  return places;
}

function placeOf(line: string, naming: Naming): string | undefined {
  const [, location, row, column] = frame.exec(line) ?? [];
  if (location === undefined) return undefined;
  const file = location.startsWith("file:") ? fileURLToPath(location) : location;
  const origin = mapOf(file)?.findOrigin(Number(row), Number(column));
  if (!origin || !("fileName" in origin)) return at(naming.ofFile(file), row, column);
  const { fileName, lineNumber, columnNumber } = origin;
  return at(naming.ofSource(fileName, file), lineNumber, columnNumber);
}

const at = (
  name: string | undefined,
  row: string | number | undefined,
  column: string | number | undefined,
): string | undefined => name && `${name}:${row}:${column}`;

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

import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { fileURLToPath } from "node:url";

/** Places of one error at most: those nearest to the fault. */
const MOST = 8;

/** `…(file:///var/task/index.mjs?v=2:1:239)` → file, line and column, both from 1. */
const frame = /\(?((?:file:\/\/)?\/[^\s()?]+)(?:\?[^\s():]*)?:(\d+):(\d+)\)?$/;

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
  const found =
    origin && "fileName" in origin ? origin : { fileName: file, lineNumber: row, columnNumber: column };
  if (found.fileName.includes("node_modules/")) return undefined;
  return `${fromTheTop(found.fileName)}:${found.lineNumber}:${found.columnNumber}`;
}

/** Maps name sources by the way from the bundle to them. */
const fromTheTop = (path: string): string => path.replace(/^(\.\.\/)+/, "").replace(`${process.cwd()}/`, "");

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

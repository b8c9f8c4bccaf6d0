import { join, posix } from "node:path";
import { expect, test } from "vitest";
import { sourceFiles } from "../../scripts/imports/source-imports.ts";

/** Files directly in one folder: a longer list has to be searched. */
const MOST_FILES = 30;

test("no folder of sources has more than 30 files", () => {
  const counts = new Map<string, number>();
  for (const { path } of sourceFiles(join(import.meta.dirname, "../.."))) {
    if (path.startsWith("test/")) continue;
    const folder = posix.dirname(path);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  expect(counts.size).toBeGreaterThan(100);
  expect([...counts].filter(([, files]) => files > MOST_FILES)).toEqual([]);
});

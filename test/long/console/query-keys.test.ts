import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const project = join(import.meta.dirname, "../../..");
/** A key with literals only, or one that begins with them, where a query is declared. */
const declared = /(?<!invalidateQueries\(\{ |removeQueries\(\{ |resetQueries\(\{ )queryKey: (\["[^\]]*\])/g;

describe("queries of the console", () => {
  test("no two places declare a query under one key: each would find what the other kept, in another shape", () => {
    const places = globSync("console/**/*.{ts,tsx}", { cwd: project }).flatMap((file) =>
      [...readFileSync(join(project, file), "utf8").matchAll(declared)].map(([, key = ""]) => ({
        file,
        key,
      })),
    );
    const byKey = Map.groupBy(places, ({ key }) => key);
    expect(byKey.size).toBeGreaterThan(30);
    expect([...byKey].filter(([, all]) => all.length > 1)).toEqual([]);
  });
});

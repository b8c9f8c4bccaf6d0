import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const sources = globSync("{shared,functions,registry}/**/*.ts", { cwd: root });
const filesWith = (pattern: RegExp): string[] =>
  sources.filter((file) => pattern.test(readFileSync(join(root, file), "utf8"))).sort();

test("a model of text is called in two files and watched in one, and nothing calls them but what holds a budget first", () => {
  expect(filesWith(/\.do(Stream|Generate)\(/)).toEqual([
    "shared/engine/model/collect-answer.ts",
    "shared/engine/model/idle-limit.ts",
    "shared/engine/turn/call-model.ts",
  ]);
  expect(filesWith(/import \{[^}]*\bcollectAnswer\b/)).toEqual([
    "shared/engine/turn/answer-within-budget.ts",
    "shared/engine/turn/query-model.ts",
  ]);
  expect(filesWith(/import \{[^}]*\bcallModel\b/)).toEqual(["shared/engine/turn/call-within-budget.ts"]);
  for (const file of ["shared/engine/turn/query-model.ts", "shared/engine/turn/call-within-budget.ts"]) {
    expect(readFileSync(join(root, file), "utf8")).toMatch(/await holdBudget\(/);
  }
});

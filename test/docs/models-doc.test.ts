import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { modelsDoc, modelsDocPath } from "../../scripts/models-doc.ts";

test("docs/models.md shows the outcomes that the tests expect; if not, run scripts/models-doc.ts", () => {
  expect(readFileSync(modelsDocPath, "utf8")).toBe(modelsDoc());
});

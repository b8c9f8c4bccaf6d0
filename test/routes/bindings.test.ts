import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { bindings } from "../../scripts/generate-bindings.ts";

test.each(bindings())("$file binds the rows of its family: `npm run routes`", ({ file, text }) => {
  expect(readFileSync(file, "utf8")).toBe(text);
});

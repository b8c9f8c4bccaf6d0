import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { completeLines, readCompleteLines } from "./complete-lines.ts";

test.each([
  ["nothing", "", []],
  ["half a line", '{"a', []],
  ["a line", '{"a":1}\n', ['{"a":1}']],
  ["a line and half of the next", '{"a":1}\n{"b', ['{"a":1}']],
  ["an empty line", "\n", [""]],
  ["a whole line that lacks its break", '{"a":1}\n{"b":2}', ['{"a":1}']],
])("of %s only complete lines are read", (_, text, lines) => {
  expect(completeLines(text)).toEqual(lines);
});

test("a line of a file is read once its end is there", () => {
  const folder = mkdtempSync(join(tmpdir(), "lines-"));
  const file = join(folder, "lines");
  try {
    expect(readCompleteLines(file)).toEqual([]);
    const [head, half] = [Buffer.from("first\nhé").subarray(0, 8), Buffer.from("hé").subarray(2)];
    appendFileSync(file, head);
    expect(readCompleteLines(file)).toEqual(["first"]);
    appendFileSync(file, half);
    appendFileSync(file, "\n");
    expect(readCompleteLines(file)).toEqual(["first", "hé"]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

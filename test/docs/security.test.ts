import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/security.md"), "utf8");
const [promised = "", notPromised = ""] = page.split("## What is not protected");
const named = (text: string): string[] =>
  [...text.matchAll(/`(test\/[\w./-]+\.ts)`/g)].map(([, file = ""]) => file);

/** The points of the lists, each with its further lines. */
const points = promised.split(/^(?=- )/m).slice(1);

test.each(points.map((text) => [text.slice(2, 60).replaceAll("\n", " "), text]))(
  "what the page of security promises names its test: %s",
  (_, text) => {
    const [point = ""] = text.split("\n\n");
    expect(named(point)).not.toEqual([]);
  },
);

test("every test that the page names is there", () => {
  const files = [...named(promised), ...named(notPromised)];
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  expect(files.length).toBeGreaterThan(30);
});

const rows = page
  .slice(page.indexOf("## Threats"))
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| Threat ") && !line.startsWith("| ---"));

test.each(rows.map((row) => [row.split("|")[1]?.trim(), row]))("the threat names its test: %s", (_, row) => {
  expect(named(row)).not.toEqual([]);
});

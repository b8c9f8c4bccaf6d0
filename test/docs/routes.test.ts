import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { matchRoute } from "../../shared/routes/matching/match.ts";

const root = join(import.meta.dirname, "../..");
/** It also speaks of operations that were left out. */
const notes = "interface-notes.md";
const pages = [
  "README.md",
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md") && name !== notes)
    .map((name) => join("docs", name)),
];

/** `GET /queue/jobs` of every curl line to the platform, and of prose that names an operation so. */
function operationsOf(markdown: string): string[] {
  const commands = markdown.replace(/\\\n/g, " ").matchAll(/^\s*curl ([^\n]*\$API[^\n]*)$/gm);
  const curled = [...commands].map(([, command = ""]) => {
    const path = /\$API(\/[^\s"'?]*)/.exec(command)?.[1] ?? "/";
    const method = /-X (\w+)/.exec(command)?.[1] ?? (/ (-F|--json) /.test(command) ? "POST" : "GET");
    return `${method} ${path}`;
  });
  const named = [...markdown.matchAll(/`(GET|POST|PATCH|PUT|DELETE) (\/[^\s`?…]*)[^`]*`/g)];
  return [...curled, ...named.map(([, method, path]) => `${method} ${path}`)];
}

const operations = pages.flatMap((page) =>
  operationsOf(readFileSync(join(root, page), "utf8")).map((operation) => [page, operation] as const),
);

describe("every operation that a page names", () => {
  test("is found by this test", () => {
    expect(operationsOf('curl -s "$API/a/b?c" -H x \\\n  -F d=e\n`DELETE /f/{g}` `GET /h?i=j`')).toEqual([
      "POST /a/b",
      "DELETE /f/{g}",
      "GET /h",
    ]);
    expect(operations.length).toBeGreaterThan(60);
  });

  test.each(operations)("in %s, %s, is a route", (_, operation) => {
    const [method = "", path = ""] = operation.split(" ");
    expect(matchRoute(method, path.replace(/<[^>]+>|\{[^}]+\}/g, "an-id"))).toHaveProperty("operation");
  });
});

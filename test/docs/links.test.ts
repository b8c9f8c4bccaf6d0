import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const pages = [
  "README.md",
  ...["docs", "examples"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".md"))
      .map((name) => join(folder, name)),
  ),
];

/** Targets of `[text](target)` and `[name]: target`, but for those that lead out of the project. */
function linksOf(markdown: string): string[] {
  const prose = markdown.replace(/^```.*?^```/gms, "").replace(/`[^`\n]*`/g, "");
  const inline = [...prose.matchAll(/\]\(([^)\s]+)[^)]*\)/g)];
  const named = [...prose.matchAll(/^\[[^\]]+\]:\s+(\S+)/gm)];
  return [...inline, ...named].map(([, target = ""]) => target).filter((target) => !/^[a-z]+:/.test(target));
}

/** A heading as a link speaks of it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");

const anchorsOf = (markdown: string): string[] =>
  [...markdown.matchAll(/^#+\s+(.+)$/gm)].map(([, heading = ""]) => anchorOf(heading));

const links = pages.flatMap((page) =>
  linksOf(readFileSync(join(root, page), "utf8")).map((target) => [page, target] as const),
);

describe("every relative link", () => {
  test("is found by this test", () => {
    expect(links.length).toBeGreaterThan(0);
    expect(linksOf("[a](docs/a.md) `[b](b)` [c](https://c) \n[d]: d.md")).toEqual(["docs/a.md", "d.md"]);
  });

  test.each(links)("in %s to %s leads to a file, and to a heading where it names one", (page, target) => {
    const [path = "", anchor] = target.split("#");
    const file = path === "" ? join(root, page) : join(root, dirname(page), path);
    expect({ missing: existsSync(file) ? null : relative(root, file) }).toEqual({ missing: null });
    if (anchor) expect(anchorsOf(readFileSync(file, "utf8"))).toContain(anchor);
  });
});

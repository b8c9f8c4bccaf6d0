import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const page = "docs/architecture.md";

/** A section of a page, from its heading to the next one of its rank. */
function sectionOf(markdown: string, anchor: string): string {
  const sections = markdown.split(/^(?=## )/m);
  const found = sections.find((section) => {
    const [, heading = ""] = /^## (.+)$/m.exec(section) ?? [];
    return heading.toLowerCase().replaceAll(" ", "-") === anchor;
  });
  if (found === undefined) throw new Error(`there is no section ${anchor}`);
  return found;
}

const ways = [
  ...sectionOf(read(page), "where-to-look").matchAll(
    /^\| (.+?) *\| \[.+?\]\(([^)#]*)#([^)]+)\).*?\| `(.+?)`: `(\w+)`/gm,
  ),
].map(([, what = "", target = "", anchor = "", file = "", name = ""]) => ({
  ...{ what, anchor, file, name },
  // A link without a path stays on the page.
  at: target === "" ? page : normalize(join(dirname(page), target)),
}));

test("README leads to the page that has the ways", () => {
  expect(read("README.md")).toContain(`](${page})`);
  expect(ways.map(({ what }) => what)).toHaveLength(5);
});

test.each(ways)("$what: the section names the file, and the file has $name", ({ at, anchor, file, name }) => {
  const section = sectionOf(read(at), anchor);
  // A table of one room leaves out the room.
  expect([file, file.split("/").slice(2).join("/"), file.split("/").slice(-1).join()]).toSatisfy(
    (forms: readonly string[]) => forms.some((form) => section.includes(`\`${form}\``)),
  );
  expect(read(file)).toMatch(new RegExp(`^export (?:async )?(?:function|const) ${name}\\b`, "m"));
});

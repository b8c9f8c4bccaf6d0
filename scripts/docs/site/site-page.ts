import { dirname, join, normalize } from "node:path/posix";

/** Files of the repository beside `docs/` that are pages, by where they are there. */
export const otherPages: Readonly<Record<string, string>> = {
  "README.md": "index.md",
  "CHANGELOG.md": "changelog.md",
  "CONTRIBUTING.md": "contributing.md",
  "client/README.md": "client.md",
  "examples/README.md": "examples/index.md",
  ...Object.fromEntries(
    ["support-desk", "research-team", "rag", "morning-report", "expense-claims"].map((name) => [
      `examples/${name}/README.md`,
      `examples/${name}.md`,
    ]),
  ),
};

/**
 * Where a file of the repository is on the site.
 *
 * @param path  from the repository's root, such as `docs/guide/runs.md`
 * @returns undefined where it is no part of the site
 */
export function sitePathOf(path: string): string | undefined {
  const other = otherPages[path];
  if (other !== undefined) return other;
  if (!path.startsWith("docs/")) return undefined;
  const below = path.slice("docs/".length);
  return below === "README.md" ? "all-pages.md" : below.replace(/\/README\.md$/, "/index.md");
}

/**
 * A document as a page of the site: its links lead to the pages of the site, and what is not there is named without a link. Comments,
 * which mark generated parts, are left out. Code stays as it is.
 *
 * @param path  of the document from the repository's root
 */
export function sitePage(path: string, markdown: string): string {
  const parts = markdown.split(/(^```[\s\S]*?^```$|`[^`\n]*`)/m);
  return parts.map((part, at) => (at % 2 === 1 ? part : linked(path, part))).join("");
}

function linked(path: string, text: string): string {
  return text
    .replaceAll(/<!--[\s\S]*?-->/g, "")
    .replaceAll(/(!?)\[([^\]]*)\]\(([^)\s]+)\)/g, (whole, image: string, label: string, target: string) => {
      if (/^([a-z]+:|#)/.test(target)) return whole;
      const [file = "", fragment] = target.split("#");
      const found = sitePathOf(normalize(join(dirname(path), file)).replace(/\/$/, "/README.md"));
      if (found === undefined) return label;
      return `${image}[${label}](/${found}${fragment === undefined ? "" : `#${fragment}`})`;
    });
}

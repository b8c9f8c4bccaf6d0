import { normalize } from "node:path/posix";
import { sitePathOf } from "./site-page.ts";

/** A part of the list of all documents, with its pages. */
export type Section = { readonly title: string; readonly pages: readonly Page[] };
/** A page: its name, where it is on the site, and what it has. */
export type Page = { readonly title: string; readonly path: string; readonly contents: string };

/** The sections of `docs/README.md`, whose tables list every document. @throws Error for a page that the site lacks */
export function sectionsOf(markdown: string): Section[] {
  const [, ...parts] = markdown.split(/^## /m);
  return parts.map((part) => {
    const [title = ""] = part.split("\n");
    const rows = [...part.matchAll(/^\| (\[.+?) +\| (.+?) +\|$/gm)];
    return { title, pages: rows.flatMap(([, names = "", contents = ""]) => pagesIn(names, contents)) };
  });
}

function pagesIn(names: string, contents: string): Page[] {
  return [...names.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].flatMap(([, title = "", target = ""]) => {
    const path = sitePathOf(normalize(`docs/${target.replace(/\/$/, "/README.md")}`));
    if (path === undefined) throw new Error(`docs/README.md names ${target}, which is no page of the site`);
    return [{ title, path, contents }];
  });
}

type Document = { readonly path: string; readonly text: string };

/** Lists the decisions, the latest first, by their headings. */
export const decisionsPage = (documents: readonly Document[]): string =>
  [
    "# Decisions",
    "",
    ...documents
      .toSorted((a, b) => (a.path < b.path ? 1 : -1))
      .map(({ path, text }) => {
        const [, day = "", file = ""] = /(\d{4}-\d{2}-\d{2})-(.+)\.md$/.exec(path) ?? [];
        const [, heading = file] = /^# (.+)$/m.exec(text) ?? [];
        return `- ${day}: [${heading}](/decisions/${day}-${file}.md)`;
      }),
    "",
  ].join("\n");

/** The sidebar of the site, in the form of VitePress. */
export const sidebarOf = (sections: readonly Section[]): object[] =>
  sections.map(({ title, pages }) => ({
    text: title,
    collapsed: false,
    items: pages.map((page) => ({ text: page.title, link: `/${page.path.replace(/(index)?\.md$/, "")}` })),
  }));

/**
 * The list of pages for language models: each is there as Markdown, too.
 *
 * @source llmstxt.org
 */
export const llmsTxt = (sections: readonly Section[]): string =>
  [
    "# agent-platform",
    "",
    "> AI agents behind one HTTP API in your own AWS account: durable runs, teams, workflows, schedules, approvals, knowledge.",
    "> The API is that of Agno's AgentOS. TypeScript; one command starts all of it on a laptop.",
    "",
    ...sections.flatMap(({ title, pages }) => [
      `## ${title}`,
      "",
      ...pages.map((page) => `- [${page.title}](/${page.path}): ${plain(page.contents)}`),
      "",
    ]),
  ].join("\n");

const plain = (markdown: string): string => markdown.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1");

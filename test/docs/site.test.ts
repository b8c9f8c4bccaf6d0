import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commandsIn, commandsPage, errorsPage, eventsPage } from "../../scripts/docs/site/reference.ts";
import { decisionsPage, llmsTxt, sectionsOf, sidebarOf } from "../../scripts/docs/site/site-index.ts";
import { otherPages, sitePage, sitePathOf } from "../../scripts/docs/site/site-page.ts";
import { statusOf } from "../../shared/errors.ts";

const root = join(import.meta.dirname, "../..");
const sections = sectionsOf(readFileSync(join(root, "docs/README.md"), "utf8"));

describe("a document as a page of the site", () => {
  test("has links to pages, by their places there, and names what is no page", () => {
    const page = (text: string): string => sitePage("docs/guide/runs.md", text);
    expect(page("[limits](../settings.md#limits) and [changes](../../CHANGELOG.md)")).toBe(
      "[limits](/settings.md#limits) and [changes](/changelog.md)",
    );
    expect(page("[rules](../interface/) and [the code](../../shared/errors.ts)")).toBe(
      "[rules](/interface/index.md) and the code",
    );
    expect(page("[here](#queue), [there](https://example.com/a.md)")).toBe(
      "[here](#queue), [there](https://example.com/a.md)",
    );
    expect(sitePage("README.md", "![a run](docs/console.png)")).toBe("![a run](/console.png)");
  });

  test("keeps code as it is, and loses the marks of generated parts", () => {
    const code = "```md\n[a](b.md) <!-- kept -->\n```";
    expect(sitePage("docs/a.md", `<!-- begin -->\n${code}\n\`[a](b.md)\``)).toBe(`\n${code}\n\`[a](b.md)\``);
  });
});

test("every example has a page", () => {
  const examples = readdirSync(join(root, "examples"), { withFileTypes: true }).filter((one) =>
    one.isDirectory(),
  );
  expect(examples).toHaveLength(5);
  for (const { name } of examples)
    expect(sitePathOf(`examples/${name}/README.md`)).toBe(`examples/${name}.md`);
});

test("every link of every page leads to a page of the site, or to a file that it has", () => {
  const documents = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md"))
    .map((path) => `docs/${path}`);
  const sources = [...documents, ...Object.keys(otherPages)];
  const policies = readdirSync(join(root, "docs")).filter((path) => path.endsWith(".json"));
  const made = new Set([
    ...["console.png", "decisions/index.md", ...policies].map((path) => `/${path}`),
    ...sources.map((path) => `/${sitePathOf(path)}`),
  ]);
  const dead = sources.flatMap((path) => {
    const page = sitePage(path, readFileSync(join(root, path), "utf8")).replace(/^```[\s\S]*?^```$/gm, "");
    return [...page.matchAll(/\]\((\/[^)#\s]*)/g)]
      .map(([, target = ""]) => target)
      .filter((target) => !made.has(target))
      .map((target) => `${path}: ${target}`);
  });
  expect(dead).toEqual([]);
});

describe("the reference", () => {
  test("has the commands that a help text lists, and each text", () => {
    const help =
      "Usage: agent-platform\n\nCommands:\n  new [options] <folder>   make a project\n                           and more\n  logs [run]   print\n  help [command]  help\n\nMore:\n  npx x\n";
    expect(commandsIn(help)).toEqual(["new", "logs"]);
    expect(commandsPage([{ command: "logs", text: "Usage: logs" }])).toContain(
      "## agent-platform logs\n\n```text\nUsage: logs\n```",
    );
  });

  test("has every event of a run, with what only some have", () => {
    const page = eventsPage(readFileSync(join(root, "client/operations.ts"), "utf8"));
    expect(page).toMatch(/^\| `ToolCallError` \| `tool`, `error` \|$/m);
    expect(page).toMatch(/^\| `TeamRunContent` \| /m);
    expect(page).toMatch(/^\| `StepStarted` \| /m);
    expect(page.match(/^Most have .*`run_id`/gm)).toHaveLength(3);
  });

  test("has every code of an error with its status", () => {
    expect(errorsPage(statusOf)).toContain("| `QUEUE_FULL` | 429 |");
  });
});

describe("the list of pages", () => {
  test("has every guide, and nothing that is not there", () => {
    const listed = sections.flatMap(({ pages }) => pages.map(({ path }) => path));
    expect(listed).toContain("examples/index.md");
    const files = readdirSync(join(root, "docs/guide"), { recursive: true, encoding: "utf8" });
    const guides = files.filter((file) => file.endsWith(".md")).map((file) => `guide/${file}`);
    expect(guides.filter((path) => !listed.includes(path))).toEqual([]);
    const missing = listed.filter(
      (path) => !path.endsWith("index.md") && !existsSync(join(root, "docs", path)),
    );
    expect(missing).toEqual([]);
  });

  test("is the sidebar, and a text for language models", () => {
    expect(sections.map(({ title }) => title)).toEqual([
      "First steps",
      "Using the platform",
      "Operating the platform",
      "Changing the platform",
    ]);
    expect(JSON.stringify(sidebarOf(sections))).toContain('{"text":"runs","link":"/guide/runs"}');
    // Whoever comes first looks at the top.
    expect(sections[0]?.pages.map(({ title }) => title).slice(0, 2)).toEqual([
      "tutorial",
      "your own project",
    ]);
    expect(llmsTxt(sections)).toMatch(/^- \[runs\]\(\/guide\/runs\.md\): synchronous, /m);
  });

  test("has the decisions with their headings, the latest first", () => {
    const page = decisionsPage([
      { path: "docs/decisions/2026-11-20-a.md", text: "# First\n" },
      { path: "docs/decisions/2026-11-21-b.md", text: "# Second\n" },
    ]);
    expect(page).toContain(
      "- 2026-11-21: [Second](/decisions/2026-11-21-b.md)\n- 2026-11-20: [First](/decisions/2026-11-20-a.md)",
    );
    expect(sitePathOf("docs/decisions/2026-11-20-a.md")).toBe("decisions/2026-11-20-a.md");
  });
});

import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const folder = "docs/interface";
const self = relative(root, import.meta.filename);

/** A rule: its number, its text, and where it comes from. */
const RULE = /^- \*\*(\d+\.\d+)\*\* (.+(?:\n {2}.+)*)/gm;
const ORIGIN = /\s_(?:AgentOS|A2A|WhatsApp|Telegram|AWS|ours)(?:, (?:AgentOS|Telegram|ours))*_$/;
/** A page and the numbers of its rules. */
const POINTER = /docs\/interface\/([a-z0-9-]+\.md) ?((?:\d+\.\d+)(?:, \d+\.\d+)*)?/g;
/** Citations of texts that this repository does not have. */
const OUTSIDE = /@source\s+(?:contract|design|interface)\b|\bcontract, [a-z0-9]/;

const skipped = /(?:^|\/)(?:node_modules|dist|dist-package|cdk\.out|coverage|\.[a-z]+)(?:\/|$)/;

const files = readdirSync(root, { withFileTypes: true })
  .flatMap((entry) =>
    entry.isDirectory() && !skipped.test(entry.name)
      ? readdirSync(join(root, entry.name), { recursive: true, encoding: "utf8" }).map((name) =>
          join(entry.name, name),
        )
      : [entry.name],
  )
  .filter((name) => /\.(?:tsx?|mjs|js|md)$/.test(name) && !skipped.test(name) && name !== self)
  .map((name) => ({ name, text: readFileSync(join(root, name), "utf8") }));

const inFolder = (name: string): boolean => name.startsWith(`${folder}/`);
const pages = files.filter(({ name }) => inFolder(name) && name !== `${folder}/README.md`);

const rules = pages.flatMap(({ name, text }) =>
  [...text.matchAll(RULE)].map(([, number = "", says = ""]) => ({
    rule: `${relative(folder, name)} ${number}`,
    says,
  })),
);
const known = new Set(rules.map(({ rule }) => rule));

/** Every rule that a text points to; a page alone is an empty number. */
const pointersOf = (text: string): string[] =>
  // A pointer may go over the end of a comment's line.
  [...text.replace(/\n\s*\* /g, " ").matchAll(POINTER)].flatMap(([, page, numbers = ""]) =>
    numbers.split(", ").map((number) => `${page} ${number}`),
  );

const isText = (name: string): boolean => name.endsWith(".md");
const outside = files
  .filter(({ name }) => !inFolder(name))
  .map(({ name, text }) => ({ name, rules: pointersOf(text) }));
const cited = new Set(outside.filter(({ name }) => !isText(name)).flatMap(({ rules }) => rules));

test("pages, rules and pointers are found by this test", () => {
  expect(pages.length).toBeGreaterThan(0);
  expect(
    [..."- **1.2** One\n  rule. _ours_\n- **1.3** Two. _AWS_\n".matchAll(RULE)].map(([, n, says]) => [
      n,
      says,
    ]),
  ).toEqual([
    ["1.2", "One\n  rule. _ours_"],
    ["1.3", "Two. _AWS_"],
  ]);
  const comment = "/**\n * @source docs/interface/runs.md 1.2,\n * 1.3; docs/interface/queue.md\n */";
  expect(pointersOf(comment)).toEqual(["runs.md 1.2", "runs.md 1.3", "queue.md "]);
});

test("every pointer leads to a rule; only a document may name a page alone", () => {
  const leadsNowhere = outside.flatMap(({ name, rules }) =>
    rules
      .filter((rule) => !known.has(rule) && !(isText(name) && rule.endsWith(" ")))
      .map((rule) => `${name}: ${rule}`),
  );
  expect(leadsNowhere).toEqual([]);
});

test("every rule is cited", () => {
  expect([...known].filter((rule) => !cited.has(rule))).toEqual([]);
});

test("every rule has a number of its own and says where it comes from", () => {
  expect(rules.map(({ rule }) => rule)).toEqual([...known]);
  expect(rules.filter(({ says }) => !ORIGIN.test(says))).toEqual([]);
});

test("no comment cites a text that is not part of the repository", () => {
  expect(files.filter(({ text }) => OUTSIDE.test(text)).map(({ name }) => name)).toEqual([]);
});

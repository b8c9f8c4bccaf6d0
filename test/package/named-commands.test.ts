import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { filesOf, isTemplate, templates } from "../../package/create/make-project.ts";
import { commandLineOf, commandsNamedIn, wrongCommandsIn } from "../support/command-line-of.ts";

const root = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const known = commandLineOf(read("package/cli/main.ts"));

const filesIn = (folder: string, kind: RegExp): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => kind.test(name) && !name.startsWith("decisions"))
    .map((name) => join(folder, name));
const pages = [
  "README.md",
  ...filesIn("docs", /\.md$/),
  ...filesIn("examples", /\.(md|ts)$/),
  ...filesIn("package", /\.(md|ts|yml)$/),
];

test("every command that a page or a sentence of the command line names exists, with its options", () => {
  const named = pages.flatMap((path) => commandsNamedIn(read(path), known));
  expect(named.length).toBeGreaterThan(40);
  const wrong = pages.flatMap((path) => wrongCommandsIn(read(path), known).map((line) => `${path}: ${line}`));
  expect(wrong).toEqual([]);
  expect(wrongCommandsIn("`agent-platform dev --watch`, npx agent-platform fly", known)).toEqual([
    "`agent-platform dev --watch: there is no --watch",
    "npx agent-platform fly: there is no command fly",
  ]);
});

test("the guide's table has every command", () => {
  const table = read("docs/guide/projects.md").split("| Command ")[1]?.split("\n\n")[0] ?? "";
  const missing = [...known.keys()].filter((name) => !table.includes(name.split(" ").at(-1) ?? name));
  expect(missing.filter((name) => name !== "app" && name !== "secrets")).toEqual([]);
});

test.each(Object.keys(templates).filter(isTemplate))(
  "what the pages and comments of a project made from %s name is there",
  async (template) => {
    const files = await filesOf({ template, model: "scripted", spec: "^1.0.0" }, "my-agents");
    const paths = files.map(({ path }) => path);
    const { scripts } = JSON.parse(files.find(({ path }) => path === "package.json")?.text ?? "");
    const isThere = (named: string): boolean =>
      paths.some((path) => path === named || path.startsWith(named.endsWith("/") ? named : `${named}/`));
    const hosted = files.flatMap(({ text }) =>
      [...text.matchAll(/^ {2}id: "([^"]+)"/gm)].map(([, id]) => id),
    );
    const wrong = files.flatMap(({ path, text }) => {
      const isPage = path.endsWith(".md");
      const places = isPage
        ? [...text.matchAll(/`([^`\s]+(?:\/|\.(?:ts|json|md|test|local|example))|\.env)`/g)]
        : [
            ...text.matchAll(
              /(?<![\w/@.-])((?:agents|tools|workflows|scripts|documents|test|docs)\/[\w.-]+)/g,
            ),
          ];
      const missing = places
        .map(([, name = ""]) => name)
        .filter((name) => !isThere(name) && !isLater.has(name));
      const calls = isPage ? [...text.matchAll(/agent-platform (?:run|chat) ([a-z-]+)/g)] : [];
      const unknown = calls.map(([, id = ""]) => id).filter((id) => !hosted.includes(id));
      const run = [...text.matchAll(/^npm (?:run )?(\w+)/gm)].map(([, name = ""]) => name);
      return [
        ...missing.map((name) => `${path}: there is no ${name}`),
        ...unknown.map((id) => `${path}: nothing is hosted as ${id}`),
        ...run
          .filter((name) => name !== "install" && !(name in scripts))
          .map((name) => `${path}: npm run ${name}`),
        ...wrongCommandsIn(text, known).map((line) => `${path}: ${line}`),
      ];
    });
    expect(wrong).toEqual([]);
    expect(paths).toContain("README.md");
  },
);

/** A user makes these; the pages say how. */
const isLater = new Set(
  ".env .env.local .env.test package-lock.json node_modules/ .local/ cdk.out/ tools/".split(" "),
);

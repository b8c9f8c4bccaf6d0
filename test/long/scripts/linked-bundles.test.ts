import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { build, isFresh } from "../../../build/bundles/build.ts";
import { lendOpen, recordOf, sourceState } from "../../../build/bundles/index.ts";
import { type Project, projectOf } from "../../../build/project/project.ts";
import { functionReloader, type Reloaded } from "../../../local/dev/function-reloader.ts";
import { watchFolders } from "../../../local/dev/watch-folders.ts";
import { whereThrown } from "../../../shared/runtime/where-thrown.ts";
import { temporaryFolder } from "../../local/fixture-cloud.ts";

/** A platform of one function, and a project that declares something with it. */
const files = {
  "package.json": '{"type":"module"}',
  "package-lock.json": "{}",
  "package/index.ts": `export { declare } from "../shared/declare.ts";`,
  "shared/declare.ts":
    "export const declared = new WeakSet(); export const declare = (one) => (declared.add(one), one);",
  "shared/engine/skill/declared-skills.ts": "export const foundSkills = [];",
  "shared/engine/skill/skill-texts.ts": "export const skillTexts = {};",
  "shared/engine/skill/skills.ts": `import { foundSkills } from "./declared-skills.ts";
    export const skills = foundSkills;
    export const texts = async () => (await import("./skill-texts.ts")).skillTexts;`,
  "functions/greet/index.ts": `import { registry } from "#registry";
    import { declared } from "../../shared/declare.ts";
    import { skills, texts } from "../../shared/engine/skill/skills.ts";
    export const handler = async () => [registry.word, declared.has(registry), skills.length, await texts()];`,
  "functions/plain/index.ts": "export const handler = () => 1;",
  "functions/wave/index.ts": `import { registry } from "#registry";
    import { declared } from "../../shared/declare.ts";
    export const handler = async () => [new URL("./wave-process.mjs", import.meta.url).pathname, declared.has(registry)];`,
  "functions/wave/wave-process.ts": `console.log("waved");`,
  "project/package.json": '{"name":"project","type":"module"}',
  "project/registry.ts": `import { declare } from "@agentplatform/core";
    import { word } from "./word.ts";
    import { fail } from "./fail.ts";
    export const registry = declare({ agents: [], teams: [], workflows: [], word, fail: () => fail() });`,
  "project/fail.ts": `// Said at another line than that of the bundle.
    export const fail = () => { throw new Error("kaputt"); };`,
  "project/word.ts": `export const word = "good morning";`,
};
let root: string;
let project: Project;
let options: { readonly root: string; readonly registry: string };
const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
const head = (): string => join(project.dist, "greet/index.mjs");
const answer = async (file = head()) => (await import(`${pathToFileURL(file)}?${Math.random()}`)).handler();
const moduleOfRegistry = () =>
  readdirSync(dirname(head())).filter((name) => /^registry-\w+\.mjs$/.test(name));

/** Puts the platform's part of each function into the place where a package has it. */
async function lend(): Promise<void> {
  const lent = projectOf({ root });
  await build({ root, without: ["greet", "wave"] });
  await lendOpen(["greet", "wave"], { root, lent, recipe: sourceState(lent).recipe });
}

beforeEach(async () => {
  root = temporaryFolder();
  for (const [path, text] of Object.entries(files)) write(path, text);
  options = { root, registry: join(root, "project/registry.ts") };
  project = projectOf(options);
  await lend();
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test("a project's code is linked with what the package brings, and both have the same modules", async () => {
  write("project/skills/wave/SKILL.md", "---\nname: wave\ndescription: Wave.\n---\nWave twice.\n");
  await build({ ...options, linked: true });
  expect(recordOf(project, "greet")?.form).toBe("linked");
  expect(await answer()).toEqual(["good morning", true, 1, { "skills/wave": expect.anything() }]);
  const [started, isDeclared] = await answer(join(project.dist, "wave/index.mjs"));
  expect([existsSync(started), isDeclared]).toEqual([true, true]);
  // Nothing of the platform is bundled again.
  const [own = ""] = moduleOfRegistry();
  expect(readFileSync(join(dirname(head()), own), "utf8")).not.toContain("WeakSet");
});

test("an error names the file and the line in the project", async () => {
  await build({ ...options, linked: true });
  const [own = ""] = moduleOfRegistry();
  const { registry } = await import(pathToFileURL(join(dirname(head()), own)).href);
  const places = {
    ofSource: (source: string) => source.replace(/^(\.\.\/)+/, ""),
    ofFile: (file: string) => file,
  };
  try {
    registry.fail();
    expect.unreachable();
  } catch (error) {
    expect(whereThrown(error, places)[0]).toMatch(/fail\.ts:2:\d+$/);
  }
});

test("an edit makes the linked bundle stale and gives the function another name", async () => {
  await build({ ...options, linked: true });
  const before = readFileSync(head(), "utf8");
  expect(isFresh({ ...options, linked: true })).toBe(true);
  write("project/word.ts", `export const word = "good night";`);
  expect(isFresh({ ...options, linked: true })).toBe(false);
  await build({ ...options, linked: true });
  expect((await answer())[0]).toBe("good night");
  expect(readFileSync(head(), "utf8")).not.toBe(before);
  expect(moduleOfRegistry()).toHaveLength(1);
});

test("what is deployed is whole, also where the laptop has linked bundles", async () => {
  await build({ ...options, linked: true });
  expect(isFresh(options)).toBe(false);
  await build(options);
  expect(recordOf(project, "greet")?.form).toBeUndefined();
  expect(await answer()).toEqual(["good morning", true, 0, {}]);
  expect(moduleOfRegistry()).toEqual([]);
  // And a whole one is good enough for a laptop.
  expect(isFresh({ ...options, linked: true })).toBe(true);
});

test("a folder of a function is never away: a platform that starts meanwhile looks for all of them", async () => {
  const folders = ["greet", "plain"].map((name) => join(project.dist, name));
  for (const folder of folders) mkdirSync(folder, { recursive: true });
  const held = folders.map((folder) => openSync(folder, "r"));
  await build({ ...options, linked: true });
  // A folder that was removed has no name left, whatever is in its place.
  expect(held.map((fd) => fstatSync(fd).nlink > 0)).toEqual([true, true]);
  for (const fd of held) closeSync(fd);
  expect(folders.map((folder) => readdirSync(folder).includes("index.mjs"))).toEqual([true, true]);
});

test("a package of which files are missing is not linked with", async () => {
  rmSync(join(projectOf({ root }).dist, "files"), { recursive: true });
  await build({ ...options, linked: true });
  expect(recordOf(project, "greet")?.form).toBeUndefined();
  expect((await answer())[0]).toBe("good morning");
});

test("an edit while it runs is linked too; what runs still finds its own files", async () => {
  await build({ ...options, linked: true });
  const replaced: string[] = [];
  const outdir = join(root, "project/node_modules/.cache/dev");
  const { reload } = functionReloader({
    project,
    outdir,
    replace: async (name, file) => {
      if (name === "greet") replaced.push(file);
      return undefined;
    },
    isSettled: () => true,
    usedAt: () => 0,
  });
  for (const word of ["good day", "good evening"]) {
    write("project/word.ts", `export const word = "${word}";`);
    await reload(() => {});
    expect((await answer(replaced.at(-1)))[0]).toBe(word);
  }
  expect(
    readdirSync(dirname(replaced[0] ?? "")).filter((name) => /^registry-\w+\.mjs$/.test(name)),
  ).toHaveLength(2);
  expect(existsSync(join(outdir, "greet/core.mjs"))).toBe(true);
});

test("what the registry imports from another package of a monorepo is watched too, once it imports it", async () => {
  const { reload, folders } = functionReloader({
    project,
    outdir: join(root, "project/node_modules/.cache/dev"),
    replace: async () => undefined,
    isSettled: () => true,
    usedAt: () => 0,
  });
  await build({ ...options, linked: true });
  let changes = 0;
  const { follow, stop } = watchFolders(root, ["project"], () => void changes++, folders);
  try {
    write("shop/package.json", `{"name":"@shop/hours","type":"module","exports":"./hours.ts"}`);
    write("shop/hours.ts", `export const hours = "nine to five";`);
    mkdirSync(join(root, "project/node_modules/@shop"));
    symlinkSync(join(root, "shop"), join(root, "project/node_modules/@shop/hours"), "junction");
    write("project/word.ts", `export { hours as word } from "@shop/hours";`);
    await reload(() => {});
    follow();
    expect(folders()).toContain(join(root, "shop"));
    await expect.poll(() => changes).toBeGreaterThan(0);
    const before = changes;
    write("shop/hours.ts", `export const hours = "ten to six";`);
    await expect.poll(() => changes).toBeGreaterThan(before);
  } finally {
    stop();
  }
});

test("an edit that a busy machine does not load in time is loaded once it can be", async () => {
  await build({ ...options, linked: true });
  const tried: string[] = [];
  const { reload } = functionReloader({
    project,
    outdir: join(root, "project/node_modules/.cache/dev"),
    replace: async (name) => {
      tried.push(name);
      return tried.length < 3 ? { errorType: "Init.Timeout", errorMessage: "Init timed out" } : undefined;
    },
    isSettled: (name) => name === "greet",
    usedAt: () => 0,
  });
  write("project/word.ts", `export const word = "good day";`);
  const reports: Reloaded[] = [];
  await reload((report) => reports.push(report));
  expect(reports).toEqual([{ functions: ["greet"], problems: [] }]);
  expect(tried).toHaveLength(3);
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { build, isFresh } from "../../../build/bundles/build.ts";
import { bundleFunction, writeBundle } from "../../../build/bundles/bundle-function.ts";
import { sourceState } from "../../../build/bundles/source-state.ts";
import { projectOf } from "../../../build/project/project.ts";
import { functionReloader, type Reloaded } from "../../../local/dev/function-reloader.ts";
import { watchFolders } from "../../../local/dev/watch-folders.ts";
import { temporaryFolder } from "../../local/fixture-cloud.ts";

/** A project of two functions, of which one uses what they share. */
const files = {
  "package.json": '{"type":"module"}',
  "package-lock.json": "{}",
  "functions/greet/index.ts": `import { hello } from "../../shared/hello.ts"; export const handler = () => hello;`,
  "functions/count/index.ts": "export const handler = () => 1;",
  "shared/hello.ts": `export const hello = "good morning";`,
};
let root: string;
const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
const bundleOf = (name: string): string => readFileSync(join(root, "dist", name, "index.mjs"), "utf8");
const bundled = async () => (await build({ root })).bundled;

beforeEach(async () => {
  root = temporaryFolder();
  for (const [path, text] of Object.entries(files)) write(path, text);
  await build({ root });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe("a build", () => {
  test("bundles what has changed and nothing else", async () => {
    expect([isFresh({ root }), await bundled()]).toEqual([true, []]);
    write("shared/hello.ts", `export const hello = "good night";`);
    expect([isFresh({ root }), await bundled()]).toEqual([false, ["greet"]]);
    expect(bundleOf("greet")).toContain("good night");
  });

  test("keeps what was saved again as it was, whatever its time", async () => {
    write("shared/hello.ts", files["shared/hello.ts"]);
    expect(isFresh({ root })).toBe(true);
  });

  test.each([
    ["a package was installed", "package-lock.json", '{"lockfileVersion":3}'],
    ["a package in use was exchanged", "node_modules/.package-lock.json", "{}"],
    ["the compiler's options changed", "tsconfig.json", "{}"],
    ["a folder got a package.json", "shared/package.json", '{"sideEffects":false}'],
    ["the way of bundling changed", "build/bundles/options.ts", "export {};"],
  ])("does not take a bundle for fresh after %s", async (_, path, text) => {
    write(path, text);
    expect([isFresh({ root }), await bundled()]).toEqual([false, ["count", "greet"]]);
  });

  test("does not take a bundle for fresh when its source is gone, and says what is missing", async () => {
    rmSync(join(root, "shared/hello.ts"));
    expect(isFresh({ root })).toBe(false);
    await expect(build({ root })).rejects.toThrow("../../shared/hello.ts");
    expect(isFresh({ root })).toBe(false);
  });

  test("does not take a bundle for fresh when one of its files is gone or cut short", async () => {
    writeFileSync(join(root, "dist/greet/index.mjs"), "");
    rmSync(join(root, "dist/count/index.mjs.map"));
    expect(await bundled()).toEqual(["count", "greet"]);
  });

  test("heeds new files where an import does not name its file", async () => {
    write("shared/words/index.ts", `export const hello = "a folder";`);
    write(
      "functions/greet/index.ts",
      `import { hello } from "../../shared/words"; export const handler = () => hello;`,
    );
    await build({ root });
    write("shared/words.ts", `export const hello = "a file";`);
    expect(await bundled()).toEqual(["greet"]);
    expect(bundleOf("greet")).toContain("a file");
  });

  test("takes what is mere data as data, and is stale when what it was made from has changed", async () => {
    write(
      "shared/routes/rows.ts",
      `export const rows = ["/a"].map((path) => ({ path, schema: "a schema" }));`,
    );
    write(
      "shared/routes/access-table.ts",
      `import { rows } from "./rows.ts"; export const paths = rows.map(({ path }) => path);`,
    );
    write(
      "functions/greet/index.ts",
      `import { paths } from "../../shared/routes/access-table.ts"; export const handler = () => paths;`,
    );
    expect(await bundled()).toEqual(["greet"]);
    expect(bundleOf("greet")).toContain('["/a"]');
    expect(bundleOf("greet")).not.toContain("schema");
    expect(isFresh({ root })).toBe(true);
    write("shared/routes/rows.ts", `export const rows = [{ path: "/b" }];`);
    expect(await bundled()).toEqual(["greet"]);
    expect(bundleOf("greet")).toContain('["/b"]');
  });

  test("counts what is saved while it bundles as newer", async () => {
    write("shared/hello.ts", `export const hello = "first";`);
    const building = build({
      root,
      onBundled: () => write("shared/hello.ts", `export const hello = "second";`),
    });
    await building;
    expect(isFresh({ root })).toBe(false);
  });

  test("removes the bundle of a function that is gone, and is done once by two at a time", async () => {
    cpSync(join(root, "functions/count"), join(root, "functions/more"), { recursive: true });
    rmSync(join(root, "functions/count"), { recursive: true });
    const both = await Promise.all([build({ root }), build({ root })]);
    expect(both.flatMap((one) => one.bundled)).toEqual(["more"]);
    expect(() => bundleOf("count")).toThrow("ENOENT");
  });
});

describe("a build with another registry", () => {
  const registryOf = (word: string): string =>
    `import { word } from "./${word}.ts"; export const registry = { agents: [], teams: [], workflows: [], word };`;
  const other = { registry: "" };
  const wordIn = (folder: string, name: string): string | undefined =>
    /good \w+/.exec(readFileSync(join(folder, name, "index.mjs"), "utf8"))?.[0];
  beforeEach(async () => {
    write("registry/own.ts", `export const word = "good own";`);
    write("registry/index.ts", registryOf("own"));
    write("elsewhere/other.ts", `export const word = "good other";`);
    write("elsewhere/registry.ts", registryOf("other"));
    write(
      "functions/greet/index.ts",
      `import { registry } from "#registry"; export const handler = () => registry.word;`,
    );
    other.registry = join(root, "elsewhere/registry.ts");
    await build({ root });
    await build({ root, ...other });
  });

  test("has bundles of its own, and leaves the others as they are", () => {
    const { dist } = projectOf({ root, ...other });
    expect([wordIn(join(root, "dist"), "greet"), wordIn(dist, "greet")]).toEqual(["good own", "good other"]);
    expect([isFresh({ root }), isFresh({ root, ...other })]).toEqual([true, true]);
    expect(readFileSync(join(dist, "count/index.mjs"), "utf8")).toBe(bundleOf("count"));
  });

  test("takes over what has no registry in it from the bundles that it is given", async () => {
    const lender = projectOf({ root, ...other });
    rmSync(join(root, "dist"), { recursive: true });
    await build({ root, ...other, all: true });
    const mark = "// lent";
    const lent = join(lender.dist, "count/index.mjs");
    const text = readFileSync(lent, "utf8");
    writeFileSync(lent, `${mark}${text.slice(mark.length)}`);
    write("third/registry.ts", registryOf("third"));
    write("third/third.ts", `export const word = "good third";`);
    const third = { root, registry: join(root, "third/registry.ts") };
    await build({ ...third, lender });
    const { dist } = projectOf(third);
    expect(readFileSync(join(dist, "count/index.mjs"), "utf8")).toContain(mark);
    expect([wordIn(dist, "greet"), isFresh(third)]).toEqual(["good third", true]);
    await build({ ...third, all: true });
    expect(readFileSync(join(dist, "count/index.mjs"), "utf8")).not.toContain(mark);
  });

  test("takes over nothing that was taken over itself: what it is made of would be known nowhere", async () => {
    const first = projectOf({ root, ...other });
    for (const { dist } of [first, projectOf({ root })]) rmSync(dist, { recursive: true });
    await build({ root, ...other });
    await build({ root, lender: first });
    const listOf = ({ dist }: { readonly dist: string }) => existsSync(join(dist, "count.meta.json"));
    expect([listOf(first), listOf(projectOf({ root }))]).toEqual([true, false]);
    rmSync(first.dist, { recursive: true });
    await build({ root, ...other });
    expect(listOf(first)).toBe(true);
  });

  test("is stale where that registry is in use, when a file that it imports has changed", async () => {
    write("elsewhere/other.ts", `export const word = "good night";`);
    expect([isFresh({ root }), isFresh({ root, ...other })]).toEqual([true, false]);
    expect((await build({ root, ...other })).bundled).toEqual(["greet"]);
    expect(wordIn(projectOf({ root, ...other }).dist, "greet")).toBe("good night");
  });

  test("says what is wrong with it before anything is bundled", async () => {
    write("elsewhere/other.ts", `throw new Error("not today"); export const word = "";`);
    await expect(build({ root, ...other })).rejects.toThrow(
      /^elsewhere\/other\.ts:1:\d+: the registry cannot be loaded: Error: not today/,
    );
    expect(wordIn(projectOf({ root, ...other }).dist, "greet")).toBe("good other");
  });
});

describe("a function with a page", () => {
  const pageFiles = {
    "functions/console/index.ts": `export const handler = () => "page";`,
    "console/main.tsx": `import "./look.css"; import { hello } from "../client/hello.ts"; document.title = hello;
      import("./later.ts").then(({ more }) => document.body.append(more));`,
    "console/later.ts": `import { shared } from "./shared.ts"; export const more = "later " + shared;`,
    "console/shared.ts": `export const shared = "shared";`,
    "console/look.css": "h1 { color: teal }",
    "client/hello.ts": `export const hello = "hello from the client";`,
  };
  const site = () => join(root, "dist/console/site");
  const page = () => readFileSync(join(site(), "index.html"), "utf8");
  const filesOf = () => readdirSync(join(site(), "files")).sort();
  beforeEach(async () => {
    for (const [path, text] of Object.entries(pageFiles)) write(path, text);
    await build({ root });
  });

  test("has the page beside its code, with digests in the names and compressed copies", () => {
    const names = filesOf();
    expect(names.map((name) => name.replace(/-\w{8}\./, "-*.")).sort()).toEqual([
      "later-*.js",
      "later-*.js.br",
      "main-*.css",
      "main-*.css.br",
      "main-*.js",
      "main-*.js.br",
    ]);
    const named = [...page().matchAll(/(?:src|href)="\/console\/files\/([^"]+)"/g)].map(([, name]) => name);
    expect(named.map((name) => name?.replace(/-\w{8}\./, "-*."))).toEqual(["main-*.css", "main-*.js"]);
    expect(names).toEqual(expect.arrayContaining(named));
    expect(isFresh({ root })).toBe(true);
  });

  test.each([
    ["the page", "console/main.tsx", `document.title = "changed";`],
    ["code that it loads on demand", "console/later.ts", `export const more = "changed";`],
    ["its style", "console/look.css", "h1 { color: changed }"],
    ["the client that it calls", "client/hello.ts", `export const hello = "changed";`],
  ])("is stale, alone, when %s changes, and leaves nothing of before", async (_, path, text) => {
    const before = page();
    write(path, text);
    expect([isFresh({ root }), await bundled()]).toEqual([false, ["console"]]);
    expect(page()).not.toBe(before);
    const contents = filesOf().map((name) => readFileSync(join(site(), "files", name), "utf8"));
    expect(contents.some((one) => one.includes("changed"))).toBe(true);
    expect(filesOf().filter((name) => /^main-\w+\.js$/.test(name))).toHaveLength(1);
    expect(isFresh({ root })).toBe(true);
  });

  test("is not touched by other functions' code, nor they by the page", async () => {
    write("shared/hello.ts", `export const hello = "good night";`);
    expect(await bundled()).toEqual(["greet"]);
  });

  test("is not fresh when one of the page's files is gone or cut short", async () => {
    rmSync(join(site(), "index.html"));
    expect(await bundled()).toEqual(["console"]);
    const [first = ""] = filesOf();
    writeFileSync(join(site(), "files", first), "");
    expect(await bundled()).toEqual(["console"]);
  });

  test("comes last, as nothing waits for it, unless it is asked for", async () => {
    for (const name of ["greet", "zebra"])
      write(`functions/${name}/index.ts`, `export const handler = () => "new";`);
    write("console/main.tsx", `document.title = "new";`);
    const order: string[] = [];
    await build({ root, onBundled: (name) => order.push(name) });
    expect(order).toEqual(["greet", "zebra", "console"]);
  });

  test("counts what a browser loads first, and not what comes on demand", async () => {
    const firstLoad = async () => (await build({ root })).sizes.console?.firstLoad ?? 0;
    const before = await firstLoad();
    expect(before).toBeGreaterThan(200);
    write("console/later.ts", `export const more = "${crypto.randomUUID().repeat(50)}";`);
    expect(Math.abs((await firstLoad()) - before)).toBeLessThan(50);
    write(
      "client/hello.ts",
      `export const hello = "${Array.from({ length: 50 }, () => crypto.randomUUID())}";`,
    );
    expect(await firstLoad()).toBeGreaterThan(before + 500);
  });

  test("is refused with a style that only code on demand imports: nothing would load it", async () => {
    write("console/later.ts", `import "./lost.css"; export const more = "";`);
    write("console/lost.css", "h2 { color: red }");
    await expect(build({ root })).rejects.toThrow(/console\/lost\.css: import it from the entry too/);
  });
});

test("a bundle never names a file that is not there, also while the next one is written", async () => {
  write(
    "functions/greet/index.ts",
    `export const handler = async () => (await import("../../shared/lazy.ts")).text;`,
  );
  const outdir = join(root, "written");
  const written = async (letter: string) => {
    write("shared/lazy.ts", `export const text = "${letter.repeat(5_000_000)}";`);
    const how = { root, name: "greet", outdir, minify: true, packages: "bundle" } as const;
    return writeBundle(outdir, await bundleFunction(how), true);
  };
  await written("a");
  for (const letter of ["b", "c", "d"]) {
    let isDone = false;
    const writing = written(letter).finally(() => {
      isDone = true;
    });
    while (!isDone) {
      const [named = ""] = /lazy-\w+\.mjs/.exec(readFileSync(join(outdir, "index.mjs"), "utf8")) ?? [];
      expect(readdirSync(outdir)).toContain(named);
      await setImmediate();
    }
    await writing;
  }
});

test("the sources are read, and watched, while folders come and go", async () => {
  const modules = Array.from({ length: 40 }, (_, i) => `shared/deep/${i}/a/b/module.ts`);
  const script = `
    const { mkdirSync, rmSync } = require("node:fs");
    for (let i = 0; ; i = (i + 1) % 40) {
      rmSync("shared/deep/" + i, { recursive: true });
      mkdirSync("shared/deep/" + i + "/a/b", { recursive: true });
    }`;
  for (const path of modules) write(path, "export {};");
  const child = spawn(process.execPath, ["-e", script], { cwd: root, stdio: "ignore" });
  try {
    for (let round = 0; round < 100; round++) {
      expect([...sourceState(projectOf({ root })).digests.keys()]).toContain("shared/hello.ts");
      watchFolders(root, ["shared"], () => {}).stop();
      await setImmediate();
    }
  } finally {
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }
});

test("every way of saving is seen, also in folders that are new", async () => {
  let changes = 0;
  const { stop } = watchFolders(root, ["shared"], () => void changes++);
  const seen = async (save: () => void) => {
    const before = changes;
    save();
    await expect.poll(() => changes, { interval: 5 }).toBeGreaterThan(before);
  };
  const replaced = (): void => {
    write("shared/.hello.ts.new", "export {};");
    renameSync(join(root, "shared/.hello.ts.new"), join(root, "shared/hello.ts"));
  };
  try {
    await seen(() => write("shared/hello.ts", ""));
    await seen(replaced);
    await seen(replaced);
    await seen(() => mkdirSync(join(root, "shared/words")));
    await seen(() => write("shared/words/more.ts", ""));
    await seen(() => rmSync(join(root, "shared/words"), { recursive: true }));
    await seen(() => mkdirSync(join(root, "shared/words")));
    await seen(() => write("shared/words/more.ts", ""));
    await seen(() => {
      rmSync(join(root, "shared/words"), { recursive: true });
      mkdirSync(join(root, "shared/words"));
    });
    await seen(() => write("shared/words/more.ts", ""));
  } finally {
    stop();
  }
});

describe("a reload", () => {
  const reloads: Reloaded[] = [];
  const loaded: string[] = [];
  const reloader = (fault?: string) =>
    functionReloader({
      project: projectOf({ root }),
      outdir: join(root, "dev"),
      isSettled: () => true,
      usedAt: (name) => (name === "greet" ? 1 : 0),
      replace: async (name, file) => {
        if (fault !== undefined) return { errorType: "Error", errorMessage: fault };
        loaded.push(`${name}: ${/good \w+/.exec(readFileSync(file, "utf8"))?.[0]}`);
        return undefined;
      },
    });
  beforeEach(() => {
    reloads.length = 0;
    loaded.length = 0;
  });
  const report = (reloaded: Reloaded): void => void reloads.push(reloaded);

  test("reloads what has changed, first where it is in use", async () => {
    const { reload } = reloader();
    write("shared/hello.ts", `export const hello = "good night";`);
    write("functions/count/index.ts", `export const handler = () => "good grief";`);
    await reload(report);
    expect(loaded).toEqual(["greet: good night", "count: good grief"]);
    expect(reloads.map(({ functions }) => functions)).toEqual([["greet"], ["count"]]);
    await reload(report);
    expect(reloads).toHaveLength(2);
  });

  test("leaves running what runs when code is broken, says where, and reloads the repair", async () => {
    const { reload } = reloader();
    write("shared/hello.ts", "export const hello = ;");
    await reload(report);
    expect(loaded).toEqual([]);
    expect(reloads[0]?.problems.join()).toMatch(/shared\/hello\.ts:1:22/);
    write("shared/hello.ts", `export const hello = "good evening";`);
    await reload(report);
    expect(loaded).toEqual(["greet: good evening"]);
  });

  test("tries code that did not load again with the next change", async () => {
    const { reload } = reloader("no such agent");
    write("shared/hello.ts", `export const hello = "good night";`);
    await reload(report);
    await reload(report);
    expect(reloads.map(({ problems }) => problems)).toEqual(
      Array.from({ length: 2 }, () => ["the code does not load: no such agent"]),
    );
  });
});

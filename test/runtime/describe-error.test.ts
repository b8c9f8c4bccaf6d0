import { execFile } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { bundleFunction, writeBundle } from "../../build/bundles/bundle-function.ts";
import { describeError, describeForeignError, SHOWS_MESSAGES } from "../../shared/runtime/describe-error.ts";
import { whereThrown } from "../../shared/runtime/where-thrown.ts";
import { temporaryFolder } from "../local/fixture-cloud.ts";

/** A function whose fault passes through a package, and that loads some of its code only when it is called. */
const sources = {
  "package.json": '{"type":"module"}',
  "node_modules/calls-back/package.json": '{"name":"calls-back","type":"module","main":"index.js"}',
  "node_modules/calls-back/index.js": "export const callBack = (call) => { return call(); };\n",
  "shared/refuse.ts": `/** Refuses. */
export function refuse(why: string): never {
  throw new RangeError(why);
}
`,
  "functions/greet/later.ts": `import { refuse } from "../../shared/refuse.ts";

export const later = () => refuse("later");
`,
  "functions/greet/index.ts": `import { callBack } from "calls-back";
import { refuse } from "../../shared/refuse.ts";

export const handler = () => {
  callBack(() => refuse("at once"));
};
export const afterwards = async () => (await import("./later.ts")).later();
`,
};

let root: string;
/** In a process of its own: the test runner reads source maps as well, and shows stacks that they have led back already. */
const inNode = promisify(execFile);
const places = async (bundle: string, call: string, cwd = root): Promise<string[]> => {
  const script = `
    const { whereThrown } = await import(${JSON.stringify(join(import.meta.dirname, "../../shared/runtime/where-thrown.ts"))});
    const bundle = await import(${JSON.stringify(join(root, bundle))});
    try { await bundle.${call}(); } catch (error) { console.log(JSON.stringify(whereThrown(error))); }
  `;
  const { stdout } = await inNode(process.execPath, ["--input-type=module", "-e", script], { cwd });
  return JSON.parse(stdout);
};

beforeAll(async () => {
  root = temporaryFolder();
  const outdir = join(root, "dist/greet");
  for (const [path, text] of Object.entries(sources)) {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const bundle = await bundleFunction({ root, name: "greet", outdir, minify: true, packages: "bundle" });
  await writeBundle(outdir, bundle, true);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe("what was thrown in a bundle", () => {
  test("is led back to the lines of our sources, and packages are passed over", async () => {
    const found = await places("dist/greet/index.mjs", "handler");
    expect(found.slice(0, 3)).toEqual([
      expect.stringMatching(/^shared\/refuse\.ts:3:\d+$/),
      expect.stringMatching(/^functions\/greet\/index\.ts:5:\d+$/),
      expect.stringMatching(/^functions\/greet\/index\.ts:5:\d+$/),
    ]);
  });

  test("is led back where the bundle lies among the packages, as a project's does, and packages are passed over there too", async () => {
    const among = "node_modules/.cache/agent-platform/dist/0/greet";
    const outdir = join(root, among);
    const bundle = await bundleFunction({ root, name: "greet", outdir, minify: true, packages: "bundle" });
    await writeBundle(outdir, bundle, true);
    const found = await places(`${among}/index.mjs`, "handler");
    expect(found[0]).toMatch(/^shared\/refuse\.ts:3:\d+$/);
    expect(found.filter((place) => place.includes("calls-back"))).toEqual([]);
  });

  test("is led back in what is loaded later, and after a reload", async () => {
    const found = await places("dist/greet/index.mjs?reloaded=2", "afterwards");
    expect(found.slice(0, 2)).toEqual([
      expect.stringMatching(/^shared\/refuse\.ts:3:\d+$/),
      expect.stringMatching(/^functions\/greet\/later\.ts:3:\d+$/),
    ]);
  });

  test("says nothing of code that neither has a map nor lies where the function runs", async () => {
    writeFileSync(join(root, "around.mjs"), "export const handler = () => JSON.parse('no JSON');\n");
    expect((await places("around.mjs", "handler")).join()).toContain("around.mjs:1:");
    expect((await places("around.mjs", "handler", import.meta.dirname)).join()).not.toContain("around");
  });

  test("keeps its place in the bundle where there is no map", async () => {
    writeFileSync(join(root, "bare.mjs"), "export const handler = () => { throw new Error('bare'); };\n");
    expect((await places("bare.mjs", "handler"))[0]).toMatch(/^bare\.mjs:1:\d+$/);
  });
});

describe("an error that others threw", () => {
  const refused = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:9"), { code: "ECONNREFUSED" });
  const thrown = Object.assign(
    new TypeError("Cannot connect to API: connect ECONNREFUSED 127.0.0.1:9", { cause: refused }),
    {
      url: "http://127.0.0.1:9/v1/chat/completions?key=secret",
    },
  );
  afterEach(() => vi.unstubAllEnvs());

  test("is logged without its message, which may quote a user", () => {
    expect(describeForeignError(thrown)).toEqual({ error_type: "TypeError", at: [expect.any(String)] });
  });

  test("has message, cause and address on a developer's machine, and no parameter of the address", () => {
    vi.stubEnv(SHOWS_MESSAGES, "true");
    expect(describeForeignError(thrown).error_text).toBe(
      "Cannot connect to API: connect ECONNREFUSED 127.0.0.1:9 (http://127.0.0.1:9/v1/chat/completions)",
    );
    const bare = new Error("fetch failed", { cause: new AggregateError([], "") });
    Object.assign(bare.cause as object, { code: "ECONNREFUSED" }); // as Node has it when several addresses refuse
    expect(describeForeignError(bare).error_text).toBe("fetch failed: ECONNREFUSED");
    expect(describeForeignError("text").error_text).toBe("text");
  });
});

describe("an error in a log line", () => {
  test("is its name, its message, its places and its causes, and never ends in a circle", () => {
    const cause = new TypeError("within");
    const error = new Error("around", { cause });
    cause.cause = error;
    const described = describeError(error);
    expect(described).toMatchObject({
      name: "Error",
      message: "around",
      cause: { name: "TypeError", message: "within", cause: { message: "around" } },
    });
    expect(described.at[0]).toMatch(/^test\/runtime\/describe-error\.test\.ts:\d+:\d+$/);
    expect(JSON.stringify(described).match(/around/g)).toHaveLength(2);
  });

  test.each([undefined, "text", { stack: 5 }, Object.assign(new Error("x"), { stack: undefined })])(
    "has no places for %j",
    (thrown) => expect(whereThrown(thrown)).toEqual([]),
  );
});

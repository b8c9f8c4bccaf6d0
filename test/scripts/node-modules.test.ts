import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { build } from "../../build/bundles/build.ts";
import { temporaryFolder } from "../local/fixture-cloud.ts";
import "../support/bundled.ts";
import { testMetafiles } from "../support/test-metafiles.ts";

/** A project of one function, which takes Node's own modules in every way there is. */
const files = {
  "package.json": '{"type":"module"}',
  "package-lock.json": "{}",
  "functions/greet/index.ts": `
    import { EventEmitter } from "events";
    import * as zlib from "node:zlib";
    import path, { basename } from "node:path";
    import { request, STATUS_CODES, type IncomingMessage } from "node:http";
    import { webcrypto } from "node:crypto";
    import { setTimeout as pause } from "node:timers/promises";
    import "node:worker_threads";
    import old from "old";
    export const handler = async () => {
      await pause(1);
      const later = await import("node:http");
      return {
        emitted: new EventEmitter().emit("nothing"),
        packed: zlib.gunzipSync(zlib.gzipSync("text")).toString(),
        named: [basename("/a/b"), path.sep, STATUS_CODES[418]],
        same: [later.request === request, later.default.request === request],
        random: webcrypto.getRandomValues(new Uint8Array(2)).length,
        old: old(),
      };
    };`,
  // A package in the old format, which asks for a module while it runs.
  "node_modules/old/package.json": '{"name":"old","version":"1.0.0","main":"index.js"}',
  "node_modules/old/index.js": `module.exports = () => require("node:" + "util").format("%d", 1) + require("os").EOL;`,
};
let root: string;
beforeAll(async () => {
  root = temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  await build({ root });
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** What a program prints, in a process that has loaded nothing else. */
const printed = (program: string): unknown =>
  JSON.parse(execFileSync(process.execPath, ["--input-type=module", "--eval", program]).toString());
const bundle = () => JSON.stringify(join(root, "dist/greet/index.mjs"));

test("what a function takes from Node's own modules works", () => {
  const program = `const { handler } = await import(${bundle()}); console.log(JSON.stringify(await handler()));`;
  expect(printed(program)).toEqual({
    emitted: false,
    packed: "text",
    named: ["b", "/", "I'm a Teapot"],
    same: [true, true],
    random: 2,
    old: "1\n",
  });
});

test("a start loads nothing behind what a function does not take", () => {
  const loaded = "process.moduleLoadList.filter((name) => /undici|http2|worker_threads/.test(name))";
  expect(printed(`await import(${bundle()}); console.log(JSON.stringify(${loaded}));`)).toEqual([]);
  // An import would.
  expect(printed(`await import("node:http"); console.log(JSON.stringify(${loaded}));`)).not.toEqual([]);
});

test("no function imports one of Node's modules when it starts", () => {
  const isNodes = (path: string) => path.startsWith("node:") || builtinModules.includes(path);
  const importing = Object.entries(testMetafiles()).flatMap(([name, { outputs }]) => {
    const imports = Object.values(outputs).flatMap((output) => output.imports);
    return imports.some(({ path, kind }) => kind === "import-statement" && isNodes(path)) ? [name] : [];
  });
  expect(importing).toEqual([]);
});

test("a bundle is as fresh as its own sources, whatever it takes from Node", async () => {
  expect((await build({ root })).bundled).toEqual([]);
});

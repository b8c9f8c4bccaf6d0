import { type ChildProcess, execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isFresh } from "../../../build/bundles/build.ts";
import { buildLock } from "../../../build/bundles/build-lock.ts";
import { type BundleQueue, bundleQueue } from "../../../build/bundles/bundle-queue.ts";
import { projectOf } from "../../../build/project/project.ts";
import { temporaryFolder } from "../../local/fixture-cloud.ts";

const names = ["a", "b", "c", "d", "e"];
let root: string;
let queue: BundleQueue | undefined;
let made: number[];
let failed: [name: string, reason: string][];

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
const open = (first: readonly string[] = []): BundleQueue => {
  queue = bundleQueue({
    root,
    first,
    onProgress: (done) => void made.push(done),
    onFailed: (name, reason) => void failed.push([name, reason]),
  });
  return queue;
};

beforeEach(() => {
  root = temporaryFolder();
  made = [];
  failed = [];
  write("package.json", '{"type":"module"}');
  for (const name of names) write(`functions/${name}/index.ts`, `export const handler = () => "${name}";`);
});
afterEach(async () => {
  queue?.stop();
  await queue?.finished;
  rmSync(root, { recursive: true, force: true });
});

/** Functions in the order in which their bundles came. */
async function order({ need, finished }: BundleQueue, asked: readonly string[]): Promise<string[]> {
  const came: string[] = [];
  for (const name of asked) void need(name)?.then(() => came.push(name));
  await finished;
  return came;
}

test("what is needed first is bundled first, then what is asked for, then the rest", async () => {
  const release = await buildLock(join(root, "dist"));
  const opened = open(["c"]);
  const asked = order(opened, ["e", "d", "b", "c", "a"]);
  release();
  expect(await asked).toEqual(["c", "e", "d", "b", "a"]);
  expect(made).toEqual([1, 2, 3, 4, 5]);
  expect(isFresh({ root })).toBe(true);
});

test("nothing is done where all bundles are there", async () => {
  await open().finished;
  made = [];
  const again = open();
  expect(names.map((name) => again.need(name))).toEqual(names.map(() => undefined));
  expect(made).toEqual([]);
});

test("a function that cannot be bundled is reported once, with its place, and the others are bundled", async () => {
  write("functions/b/index.ts", "export const handler = ;");
  const { need, finished } = open();
  expect(await need("b")).toMatch(/functions\/b\/index\.ts:1:24/);
  expect(await need("a")).toBeUndefined();
  await finished;
  expect(failed).toEqual([["b", await need("b")]]);
  expect(made).toEqual([1, 2, 3, 4]);
});

test("two processes do not build at once, and the second takes what the first has made", async () => {
  const release = await buildLock(join(root, "dist"));
  const opened = open();
  let isMade = false;
  void opened.need("a")?.then(() => {
    isMade = true;
  });
  await expect(Promise.race([opened.finished, later(1000)])).resolves.toBe("later");
  expect(isMade).toBe(false);
  release();
  const other = open();
  await Promise.all([opened.finished, other.finished]);
  expect(isFresh({ root })).toBe(true);
  expect(made).toHaveLength(2 * names.length);
});

test("the bundler's processes have ended when the queue is done, and when it is stopped", async () => {
  // Other files of this process may have a bundler of their own.
  const others = new Set(bundlersBelow(process.pid));
  const bundlers = () => bundlersBelow(process.pid).filter((id) => !others.has(id));
  await open().finished;
  expect(bundlers()).toEqual([]);
  write("package.json", '{"type":"module","private":true}');
  const release = await buildLock(join(root, "dist"));
  const stopped = open();
  expect(bundlers()).not.toEqual([]);
  stopped.stop();
  await stopped.finished;
  expect(bundlers()).toEqual([]);
  expect(failed).toEqual([]);
  release();
});

const ends: readonly [how: string, end: (bundler: ChildProcess) => void][] = [
  ["is stopped", (bundler) => bundler.kill()],
  ["is interrupted", (bundler) => bundler.kill("SIGINT")],
  ["has lost who waits for it", (bundler) => bundler.disconnect()],
];
test.each(ends)("a bundler that %s in the midst of its work prints nothing", async (_, end) => {
  // So busy that it leaves a sign of life of the bundler's own process unanswered, which comes each second.
  const busy = "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2000)";
  write("shared/routes/access-table.ts", `process.send("at work"); ${busy}; await new Promise(() => {});`);
  write(
    "functions/a/index.ts",
    'import "../../shared/routes/access-table.ts"; export const handler = () => "a";',
  );
  const bundler = fork(
    new URL("../../../build/bundles/bundler-process.ts", import.meta.url),
    [root, projectOf({ root }).registry, "a"],
    { execArgv: [], stdio: ["ignore", "ignore", "pipe", "ipc"] },
  );
  const printed = bundler.stderr ? text(bundler.stderr) : undefined;
  await new Promise<void>((resolve) =>
    bundler.on("message", (message) => message === "at work" && resolve()),
  );
  await later(1500);
  end(bundler);
  const [code] = await once(bundler, "exit");
  expect(await printed).toBe("");
  expect(code).toBe(1);
});

const later = async (ms: number): Promise<"later"> => {
  await new Promise((resolve) => setTimeout(resolve, ms));
  return "later";
};

const BUNDLER = /esbuild|bundler-process/;

/** Ids of the bundler's processes among all that a process has started, and those that they have. */
function bundlersBelow(pid: number): number[] {
  const rows = execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" }).trim().split("\n");
  const processes = rows.map((row) => {
    const [id, parent, ...args] = row.trim().split(/\s+/);
    return { id: Number(id), parent: Number(parent), args: args.join(" ") };
  });
  const below = (top: number): number[] =>
    processes
      .filter(({ parent }) => parent === top)
      .flatMap(({ id, args }) => [...(BUNDLER.test(args) ? [id] : []), ...below(id)]);
  return below(pid);
}

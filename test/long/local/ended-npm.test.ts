import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import "../../support/bundled.ts";
import { temporaryFolder } from "../../local/fixture-cloud.ts";

/** `npm start` as a user types it, and the processes below it. */
const root = join(import.meta.dirname, "../../..");
const dataDir = temporaryFolder();
const left = new Set<number>();
afterAll(() => {
  for (const pid of [...left].filter(isAlive)) process.kill(pid, "SIGKILL");
  rmSync(dataDir, { recursive: true, force: true });
});

async function npmStart(): Promise<{ npm: ChildProcess; below: number[] }> {
  // `npm test` would be taken for the command that started it.
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("npm_"));
  const env = { ...Object.fromEntries(inherited), DATA_DIR: dataDir, PORT: "0" };
  const npm = spawn("npm", ["start"], { cwd: root, env });
  let output = "";
  for await (const chunk of npm.stdout.iterator({ destroyOnReturn: false })) {
    output += String(chunk);
    if (output.includes("Stop with")) break;
  }
  npm.stdout.resume();
  const below = descendants(npm.pid ?? 0);
  for (const pid of below) left.add(pid);
  return { npm, below };
}

function descendants(pid: number): number[] {
  const pairs = execFileSync("ps", ["-eo", "pid=,ppid="], { encoding: "utf8" })
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number));
  const children = pairs.flatMap(([child = 0, parent]) => (parent === pid ? [child] : []));
  return children.flatMap((child) => [child, ...descendants(child)]);
}

const isAlive = (pid: number): boolean =>
  execFileSync("ps", ["-eo", "pid="], { encoding: "utf8" }).split(/\s+/).includes(String(pid));

test.each(["SIGKILL", "SIGTERM", "SIGHUP"] as const)(
  "no process outlives npm that ends by %s",
  async (signal) => {
    const { npm, below } = await npmStart();
    expect(below.length).toBeGreaterThan(1);
    npm.kill(signal);
    await expect.poll(() => below.filter(isAlive), { interval: 200 }).toEqual([]);
  },
  120_000,
);

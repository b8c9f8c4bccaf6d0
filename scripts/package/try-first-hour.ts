/**
 * From nothing to an own agent that answers, as a new user goes: `npm create` in an empty folder with an empty environment, from the
 * tarballs. `npm run try:first-hour`; `-- <folder with both tarballs>` takes some that are made already. Says how long each step
 * takes and how large the project is, and fails above the limits.
 */
import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { table } from "../../build/table.ts";
import { freePort } from "../../local/machine/free-port.ts";
import { managerCommand } from "../../local/machine/manager-command.ts";

/**
 * Of a quiet machine: seconds from the command to the answer, and megabytes of the installed project without the Node that it has
 * where its user's own is older.
 */
const MOST_SECONDS = 60;
const MOST_MEGABYTES = 250;

const root = join(import.meta.dirname, "../..");
const place = mkdtempSync(join(tmpdir(), "agent-platform-first-hour-"));
const project = join(place, "my-agents");
const port = await freePort();
const env: Record<string, string> = {
  ...userEnvironment(),
  PORT: String(port),
  npm_config_fund: "false",
  npm_config_audit: "false",
  npm_config_update_notifier: "false",
  ...(process.env.npm_config_registry && { npm_config_registry: process.env.npm_config_registry }),
};
const BLOCK = 4096;
const commandLine = join(project, "node_modules/@agentplatform/core/package/cli/agent-platform.mjs");
const took: [string, number][] = [];

/** Without what a developer of this repository has; Windows does without little of it. */
function userEnvironment(): Record<string, string> {
  const home = join(place, "home");
  if (process.platform === "win32") {
    const own = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
    return { ...Object.fromEntries(own.map(([name, value]) => [name, value ?? ""])), USERPROFILE: home };
  }
  const usual = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
  const given = process.platform === "linux" ? usual : process.env.PATH;
  return { PATH: process.env.PATH_OF_USERS ?? given ?? usual, HOME: home };
}

async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const result = await work();
  took.push([name, (performance.now() - startedAt) / 1000]);
  return result;
}

async function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(command, args, { cwd, env, maxBuffer: 100_000_000 });
  return stdout + stderr;
}

const runNpm = (args: readonly string[]): Promise<string> => {
  const { platform, execPath } = process;
  const command = managerCommand("npm", args, { platform, node: execPath, environment: {} });
  return run(command.file, command.args, place);
};

/** @returns the folder with both tarballs */
function packed(): string {
  const [, , given] = process.argv;
  if (given !== undefined) return resolve(given);
  execFileSync(process.execPath, [join(root, "scripts/package/pack.ts"), "--tarball", place], {
    cwd: root,
    stdio: "inherit",
  });
  return place;
}

const tarballIn = (folder: string, name: string): string =>
  join(folder, readdirSync(folder).find((file) => file.startsWith(`agentplatform-${name}-`)) ?? "");

/** Starts the project, and waits until it serves. */
async function started() {
  const child = spawn("node", [commandLine, "dev"], { cwd: project, env });
  let output = "";
  const ready = Promise.withResolvers<void>();
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      output += chunk;
      if (output.includes(" ready\n")) ready.resolve();
    });
  child.once("exit", (code) => ready.reject(new Error(`dev ended with ${code}:\n${output}`)));
  await ready.promise;
  return child;
}

const answer = (text: string): Promise<string> =>
  run("node", [commandLine, "run", "assistant", text], project);

/** What is on disk below a folder, in megabytes: files take whole blocks. */
const megabytesIn = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .reduce(
      (sum, { parentPath, name }) => sum + Math.ceil(statSync(join(parentPath, name)).size / BLOCK),
      0,
    ) *
  (BLOCK / 2 ** 20);

try {
  const folder = packed();
  await step("npm create, with its install", () =>
    runNpm([
      "exec",
      "--yes",
      "--package",
      tarballIn(folder, "create"),
      "--",
      "create",
      "my-agents",
      "--yes",
      "--package",
      tarballIn(folder, "core"),
    ]),
  );
  const child = await step("dev is ready", started);
  try {
    const first = await step("first answer", () => answer("hello"));
    if (!first.includes("hello")) throw new Error(`no answer:\n${first}`);
    const file = join(project, "tools/roll-dice.ts");
    writeFileSync(file, readFileSync(file, "utf8").replace("Math.floor(Math.random() * 6)", "6"));
    await step("an edited tool answers", async () => {
      for (let said = ""; !said.includes("[7]"); said = await answer('[[tool:roll_dice {"count": 1}]]'));
    });
  } finally {
    child.removeAllListeners("exit");
    child.kill("SIGTERM");
    await once(child, "exit");
  }
  const modules = join(project, "node_modules");
  const nodes = readdirSync(modules).filter((name) => /^node-(bin-)?(darwin|linux|win)/.test(name));
  const ofNode = nodes.reduce((sum, name) => sum + megabytesIn(join(modules, name)), 0);
  const megabytes = Math.round(megabytesIn(modules) - ofNode);
  const seconds = took.slice(0, 3).reduce((sum, [, one]) => sum + one, 0);
  console.log(
    table(
      ["step", "seconds"],
      took.map(([name, one]) => [name, one.toFixed(1)]),
    ),
  );
  console.log(
    `${seconds.toFixed(1)} s to the first answer, ${megabytes} MB installed, and ${Math.round(ofNode)} MB of Node`,
  );
  if (seconds > MOST_SECONDS || megabytes > MOST_MEGABYTES) {
    console.error(`At most ${MOST_SECONDS} s on a quiet machine and ${MOST_MEGABYTES} MB are wanted.`);
    process.exitCode = 1;
  }
} finally {
  rmSync(place, { recursive: true, force: true });
}

/**
 * From nothing to an own agent that answers, as a new user goes: `npm create` in an empty folder with an empty environment, from the
 * tarballs. `npm run try:first-hour`; `-- <folder with both tarballs>` takes some that are made already. Says how long each step
 * takes, with what load the machine had beside it, and how large the project is, and fails above the limits. Beside other work the time
 * says little: then the size alone is judged, as it is with `--untimed`. With `--desk` it also makes the support desk, which has a secret,
 * zod and a tool of the AI SDK, and runs its tests, under npm and under pnpm.
 */
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { table } from "../../build/table.ts";
import { managerCommand } from "../../local/machine/manager-command.ts";
import { broughtAlong } from "./bring-along.ts";
import { commandLineIn, openUserMachine, tarballIn } from "./user-machine.ts";

/**
 * Of a quiet machine: seconds from the command to the answer, and megabytes of the installed project without the Node that it has
 * where its user's own is older.
 */
const MOST_SECONDS = 60;
const MOST_MEGABYTES = 250;

const { place, tarballs, run, started, remove } = await openUserMachine("first-hour");
const project = join(place, "my-agents");
const BLOCK = 4096;
const took: [string, number][] = [];

async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const result = await work();
  took.push([name, (performance.now() - startedAt) / 1000]);
  return result;
}

const runNpm = (args: readonly string[], cwd?: string): Promise<string> => {
  const { platform, execPath } = process;
  const command = managerCommand("npm", args, { platform, node: execPath, environment: {} });
  return run(command.file, command.args, cwd);
};

/** Which pnpm a user has; it is run from npm's cache. */
const PNPM = "pnpm@12.21.0";

/** How each manager is called: with the creating package, and in a project. */
const managers = {
  npm: {
    make: (create: string) => ["exec", "--yes", "--package", create, "--", "create"],
    inside: [],
  },
  pnpm: {
    make: (create: string) => [
      "exec",
      "--yes",
      "--package",
      PNPM,
      "--",
      "pnpm",
      "--package",
      create,
      "dlx",
      "create",
    ],
    inside: ["exec", "--yes", "--package", PNPM, "--", "pnpm"],
  },
} as const;

/** Makes the support desk with a manager, and runs its tests. */
async function desk(name: keyof typeof managers): Promise<void> {
  const folder = `desk-${name}`;
  const { make, inside } = managers[name];
  const how = ["--yes", "--template", "support-desk", "--package", tarballIn(tarballs, "core")];
  await step(`the desk by ${name}`, () => runNpm([...make(tarballIn(tarballs, "create")), folder, ...how]));
  await step(`its tests by ${name}`, () => runNpm([...inside, "test"], join(place, folder)));
}

const answer = (text: string): Promise<string> =>
  run("node", [commandLineIn(project), "run", "assistant", text], project);

/** Whether other programs have the processors: more wait for them than there are. */
const isBusy = process.argv.includes("--untimed") || (loadavg()[0] ?? 0) > availableParallelism();

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
  await step("npm create, with its install", () =>
    runNpm([
      "exec",
      "--yes",
      "--package",
      tarballIn(tarballs, "create"),
      "--",
      "create",
      "my-agents",
      "--yes",
      "--package",
      tarballIn(tarballs, "core"),
    ]),
  );
  // Before the first start, which keeps bundles there.
  const modules = join(project, "node_modules");
  const nodes = readdirSync(modules).filter((name) => /^node-(bin-)?(darwin|linux|win)/.test(name));
  const ofNode = nodes.reduce((sum, name) => sum + megabytesIn(join(modules, name)), 0);
  const twice = broughtAlong.filter((name) => existsSync(join(modules, name)));
  if (twice.length > 0) throw new Error(`the package brings ${twice.join(", ")}, and it is installed too`);
  const megabytes = Math.round(megabytesIn(modules) - ofNode);
  const child = await step("dev is ready", () => started(project));
  try {
    const first = await step("first answer", () => answer("hello"));
    if (!first.includes("hello")) throw new Error(`no answer:\n${first}`);
    const file = join(project, "tools/roll-dice.ts");
    writeFileSync(file, readFileSync(file, "utf8").replace("Math.floor(Math.random() * 6)", "6"));
    await step("an edited tool answers", async () => {
      for (let said = ""; !said.includes("[7]"); said = await answer('[[tool:roll_dice {"count": 1}]]'));
    });
    const log = readFileSync(join(project, ".local/functions.log"), "utf8");
    if (log.includes("ScheduleReconcile"))
      throw new Error("timers share the processors with the first answer");
  } finally {
    child.kill("SIGTERM");
    await once(child, "exit");
  }
  if (process.argv.includes("--desk")) for (const name of ["npm", "pnpm"] as const) await desk(name);
  const kept = Math.round(megabytesIn(modules) - ofNode) - megabytes;
  const seconds = took.slice(0, 3).reduce((sum, [, one]) => sum + one, 0);
  console.log(
    table(
      ["step", "seconds"],
      took.map(([name, one]) => [name, one.toFixed(1)]),
    ),
  );
  console.log(
    `${seconds.toFixed(1)} s to the first answer, ${megabytes} MB installed, ${Math.round(ofNode)} MB of Node, ${kept} MB of bundles once it has run`,
  );
  if (isBusy)
    console.log(
      `Other programs had the processors (load ${loadavg()[0]?.toFixed(1)}): the seconds are not judged.`,
    );
  if ((!isBusy && seconds > MOST_SECONDS) || megabytes > MOST_MEGABYTES) {
    console.error(`At most ${MOST_SECONDS} s on a quiet machine and ${MOST_MEGABYTES} MB are wanted.`);
    process.exitCode = 1;
  }
} finally {
  remove();
}

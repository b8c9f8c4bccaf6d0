/**
 * From nothing to an own agent that answers, as a new user goes: `npm create` in an empty folder with an empty environment, from the
 * tarballs. `npm run try:first-hour`; `-- <folder with both tarballs>` takes some that are made already. Says how long each step
 * takes, with what load the machine had beside it, and how large the project is, and fails above the limits. Beside other work the time
 * says little: then the size alone is judged, as it is with `--untimed`. With `--whole` it also does what the rest of the hour is about:
 * a debugger stops in a tool, an agent of the AI SDK answers with its model, a tool and tools of MCP, the other commands say what they should, and the support desk, which has a
 * secret, zod and a tool of the AI SDK, is made by the questions at a terminal, and passes its tests, under npm and under pnpm.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { table } from "../../build/table.ts";
import { managerCommand } from "../../local/machine/manager-command.ts";
import { broughtAlong } from "./bring-along.ts";
import { megabytesIn } from "./disk-use.ts";
import { packagesOfAiSdk, writeAiSdkAgent } from "./first-hour/ai-sdk.ts";
import { atTerminal } from "./first-hour/at-terminal.ts";
import { useCommands } from "./first-hour/commands.ts";
import { attachDebugger } from "./first-hour/debugger.ts";
import { commandLineIn, openUserMachine, tarballIn } from "./user-machine.ts";

/**
 * Of a quiet machine: seconds from the command to the answer, and megabytes of the installed project without the Node that it has
 * where its user's own is older.
 */
const MOST_SECONDS = 60;
const MOST_MEGABYTES = 250;

const machine = await openUserMachine("first-hour");
const { place, env, tarballs, run, started, remove } = machine;
const project = join(place, "my-agents");
const modules = join(project, "node_modules");
const tool = join(project, "tools/roll-dice.ts");
const took: [string, number][] = [];

async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const result = await work();
  took.push([name, (performance.now() - startedAt) / 1000]);
  return result;
}

function expect(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(`expected: ${what}`);
}

const npmCommand = (args: readonly string[]) => {
  const { platform, execPath } = process;
  return managerCommand("npm", args, { platform, node: execPath, environment: {} });
};
const runNpm = (args: readonly string[], cwd?: string): Promise<string> => {
  const { file, args: own } = npmCommand(args);
  return run(file, own, cwd);
};

/** Which pnpm a user has; it is run from npm's cache. */
const PNPM = ["exec", "--yes", "--package", "pnpm@12.21.0", "--", "pnpm"];

const create = tarballIn(tarballs, "create");
const byNpm = ["exec", "--yes", "--package", create, "--", "create"];
const ofCore = ["--package", tarballIn(tarballs, "core")];

const answer = (agent: string, text: string): Promise<string> =>
  run("node", [commandLineIn(project), "run", agent, text], project);

/** Whether other programs have the processors: more wait for them than there are. */
const isBusy = process.argv.includes("--untimed") || (loadavg()[0] ?? 0) > availableParallelism();

async function whileDevRuns(work: () => Promise<void>): Promise<void> {
  const child = await step("dev is ready", () => started(project));
  try {
    await work();
  } finally {
    child.kill("SIGTERM");
    await once(child, "exit");
  }
}

async function editAndAsk(): Promise<void> {
  const first = await step("first answer", () => answer("assistant", "hello"));
  expect(first.includes("hello"), `an answer: ${first}`);
  const text = readFileSync(tool, "utf8");
  writeFileSync(tool, text.replace("Math.floor(Math.random() * 6)", "6"));
  await step("an edited tool answers", async () => {
    for (let said = ""; !said.includes("[7]"); )
      said = await answer("assistant", '[[tool:roll_dice {"count": 1}]]');
  });
  writeFileSync(tool, text);
  const log = readFileSync(join(project, ".local/functions.log"), "utf8");
  expect(!log.includes("ScheduleReconcile"), "timers do not share the processors with the first answer");
}

/** A breakpoint in the user's file, as VS Code sets it by the page on projects. */
async function debug(): Promise<void> {
  const file = join(project, "tools/roll-dice.ts");
  const line =
    1 +
    readFileSync(file, "utf8")
      .split("\n")
      .findIndex((one) => one.includes("execute:"));
  const command = [commandLineIn(project), "dev", "--inspect=127.0.0.1:0"];
  const child = spawn("node", command, { cwd: project, env });
  const [address, ready] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()];
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      printed += chunk;
      const [found] = /ws:\/\/\S+/.exec(printed) ?? [];
      if (found !== undefined) address.resolve(found);
      if (printed.includes(" ready\n")) ready.resolve();
    });
  const early = once(child, "exit").then(() => Promise.reject(new Error(`dev ended:\n${printed}`)));
  early.catch(() => {});
  const attached = await attachDebugger(await Promise.race([address.promise, early]), tool, line);
  try {
    await Promise.race([ready.promise, early]);
    const said = answer("assistant", '[[tool:roll_dice {"count": 1}]]');
    const missed = said.then((text) => Promise.reject(new Error(`no stop at the breakpoint:\n${text}`)));
    const stop = await Promise.race([attached.stopped, missed, early]);
    missed.catch(() => {});
    expect(stop.file === tool && stop.line === line, `a stop at ${tool}:${line}: ${JSON.stringify(stop)}`);
    await stop.resume();
    expect(/\[[1-6]\]/.test(await said), "the run goes to its end");
  } finally {
    attached.close();
    child.kill("SIGTERM");
    await early.catch(() => {});
  }
}

async function useAiSdk(): Promise<void> {
  await step("packages of the AI SDK", () => runNpm(["install", ...packagesOfAiSdk], project));
  const world = await writeAiSdkAgent(project);
  try {
    await whileDevRuns(async () => {
      await step("the other commands", () => useCommands(machine, project, "assistant"));
      const said = await step("its agent answers", () => answer("sdk", world.message));
      expect(said.includes(world.answer), `an answer of its model: ${said}`);
      const [weather = "", show = ""] = world.results();
      expect(weather.includes("sun over Rome") && show.includes("inside a"), `results: ${weather} ${show}`);
    });
    await step("the project's tests and types", async () => {
      const tested = await runNpm(["test"], project);
      expect(/pass 2\b/.test(tested), `two tests pass: ${tested}`);
      await runNpm(["run", "check"], project);
    });
  } finally {
    await world.stop();
  }
}

/** Makes the support desk with each manager, the first at a terminal, and runs its tests. */
async function makeDesks(): Promise<void> {
  const isAsked = process.platform === "linux";
  const flags = ["--yes", "--template", "support-desk", ...ofCore];
  await step(isAsked ? "the desk by npm, asked, served, opened" : "the desk by npm", async () => {
    if (!isAsked) return void (await runNpm([...byNpm, "desk-npm", ...flags]));
    const { file, args } = npmCommand([...byNpm, ...ofCore]);
    const { shown, opened } = await atTerminal(
      machine,
      [file, ...args],
      [
        ["Folder (my-agents)", "desk-npm"],
        ["Template (assistant)", "2"],
        ["Model, as provider:id (scripted)", "gpt"],
        ["A model is written as provider:id", ""],
      ],
    );
    expect(shown.includes("finds orders, asks before it refunds"), `the templates are shown: ${shown}`);
    expect(
      /Later it starts by:\s+cd desk-npm\s+npm run dev/.test(shown),
      `how it is started again: ${shown}`,
    );
    expect(/^http:\/\/127\.0\.0\.1:\d+\/console#link=/.test(opened), `the console is opened: ${opened}`);
  });
  await step("its tests by npm", () => runNpm(["test"], join(place, "desk-npm")));
  const dlx = [...PNPM, "--package", create, "dlx", "create", "desk-pnpm", ...flags];
  await step("the desk by pnpm", () => runNpm(dlx));
  await step("its tests by pnpm", () => runNpm([...PNPM, "test"], join(place, "desk-pnpm")));
}

try {
  await step("npm create, with its install", () => runNpm([...byNpm, "my-agents", "--yes", ...ofCore]));
  // Before the first start, which keeps bundles there.
  const nodes = readdirSync(modules).filter((name) => /^node-(bin-)?(darwin|linux|win)/.test(name));
  const ofNode = nodes.reduce((sum, name) => sum + megabytesIn(join(modules, name)), 0);
  const twice = broughtAlong.filter((name) => existsSync(join(modules, name)));
  if (twice.length > 0) throw new Error(`the package brings ${twice.join(", ")}, and it is installed too`);
  const megabytes = Math.round(megabytesIn(modules) - ofNode);
  await whileDevRuns(editAndAsk);
  const kept = Math.round(megabytesIn(modules) - ofNode) - megabytes;
  const seconds = took.slice(0, 3).reduce((sum, [, one]) => sum + one, 0);
  if (process.argv.includes("--whole")) {
    await step("a debugger stops in a tool", debug);
    await useAiSdk();
    await makeDesks();
  }
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

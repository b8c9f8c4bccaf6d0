/**
 * Does what `docs/tutorial.md` says, in order, as a new user on a machine of their own, from the tarballs: `npm run try:tutorial`; `--
 * <folder with both tarballs>` takes some that are made already. What needs a key or an AWS account is left out, and named.
 */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { stepsIn } from "../docs/guide-steps.ts";
import { openUserMachine, tarballIn } from "./user-machine.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/tutorial.md"), "utf8");
const { place, tarballs, run, started, remove } = await openUserMachine("tutorial");
const project = join(place, "my-desk");

/** Commands that are not run here, by how they begin. */
const leftOut: readonly (readonly [start: string, why: string])[] = [
  ["MODEL=", "needs a key"],
  ["npx agent-platform chat", "talks with a person"],
  ["npx cdk bootstrap", "needs an AWS account"],
  ["npx agent-platform secrets set SHOP_KEY --stage", "needs an AWS account"],
  ["npx agent-platform deploy --stage prod", "needs an AWS account"],
  ["npx agent-platform doctor --stage", "needs an AWS account"],
  ["export AGENT_PLATFORM_TOKEN", "needs an AWS account"],
];
/** What a command has to print, by what is in it. */
const wanted: readonly (readonly [part: string, printed: RegExp])[] = [
  ["run assistant", /Hello/],
  ["find_order", /"delivered": ?false/],
  ["refund_order", /Refunded 40 for order A1\./],
  ["npm test", /# pass 1|pass 1/],
];

let platform: ChildProcess | undefined;
async function stop(): Promise<void> {
  platform?.kill("SIGTERM");
  if (platform) await once(platform, "exit");
  platform = undefined;
}

/** A saved file is reloaded within seconds; a person would be slower. */
async function untilItWorks(command: string, input: string): Promise<string> {
  for (let tries = 0; ; tries++)
    try {
      return await run("/bin/sh", ["-c", command], project, input);
    } catch (error) {
      if (tries === 20 || !command.startsWith("npx agent-platform run")) throw error;
      await pause(1000);
    }
}

async function synthesized(command: string): Promise<string> {
  try {
    return await run("/bin/sh", ["-c", command], project);
  } catch (error) {
    const [, install] = /Install it into the project: (npm .+)/.exec(String(error)) ?? [];
    if (install === undefined) throw error;
    await run("/bin/sh", ["-c", install], project);
    return run("/bin/sh", ["-c", command], project);
  }
}

async function does(command: string): Promise<string> {
  if (command.startsWith("npx --package")) {
    const [, rest = ""] = /\.tgz (.+)/.exec(command) ?? [];
    const own = `npm exec --yes --package ${tarballIn(tarballs, "create")} -- ${rest}`;
    return run("/bin/sh", ["-c", `${own} --package ${tarballIn(tarballs, "core")}`]);
  }
  if (command === "cd my-desk") return "";
  if (command === "npm run dev") {
    platform = await started(project);
    return "";
  }
  if (command.endsWith("--synth")) return synthesized(command);
  const waits = command.includes("refund_order");
  if (waits) {
    await stop();
    platform = await started(project);
  }
  return untilItWorks(command, waits ? "y\n" : "");
}

try {
  for (const step of stepsIn(page)) {
    if (step.kind === "source") {
      const file = join(project, step.path ?? "");
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, step.text);
      continue;
    }
    const { text, line } = step;
    const why = text.endsWith("--synth") ? undefined : leftOut.find(([start]) => text.startsWith(start))?.[1];
    if (why !== undefined) {
      console.log(`left out: ${text} (${why})`);
      continue;
    }
    const startedAt = performance.now();
    const printed = await does(text);
    console.log(`${((performance.now() - startedAt) / 1000).toFixed(1)} s  ${text}`);
    const [, expected] = wanted.find(([part]) => text.includes(part)) ?? [];
    if (expected !== undefined && !expected.test(printed))
      throw new Error(`line ${line}: ${text} printed:\n${printed}`);
  }
} finally {
  await stop();
  remove();
}

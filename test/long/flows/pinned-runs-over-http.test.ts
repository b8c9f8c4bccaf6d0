import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClient } from "../../../client/index.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";

/**
 * Runs that wait for a person while the worker is replaced, as `npm run dev` replaces it, over the whole platform: the
 * bundles, the roles, the queue.
 */
const project = join(import.meta.dirname, "../../..");
let sources: string;
let platform: TestPlatform;
const output: string[] = [];
const client = () => createClient({ baseUrl: platform.url, token: platform.adminToken });
const path = { agent_id: "refund-desk" };
const message = '[[tool:issue_refund {"order_id":"A-1001","amount":12.5}]]';

const tool = (word: string, amount = "v.number()"): string => `
import * as v from "valibot";
import { defineTool } from "../../shared/engine/define/index.ts";

export const issueRefund = defineTool({
  name: "issue_refund",
  description: "Says a word when a person has confirmed it.",
  parameters: v.object({ order_id: v.string(), amount: ${amount} }),
  effect: "keyed",
  requires_confirmation: true,
  execute: () => "${word}",
});`;

const agent = (revision: string | undefined): string => `
import { defineAgent } from "../../shared/engine/define/index.ts";
import { issueRefund } from "../tools/issue-refund.ts";

export const refundDesk = defineAgent({
  id: "refund-desk",
  name: "Refund desk",
  tools: [issueRefund],
  ${revision === undefined ? "" : `revision: ${JSON.stringify(revision)},`}
});`;

const index = `
import { refundDesk } from "./agents/refund-desk.ts";

export const registry = { agents: [refundDesk], teams: [], workflows: [] };
`;

const save = (file: string, text: string): void => writeFileSync(join(sources, "registry", file), text);

/** Saves what the worker is made of, and waits until the worker runs it. */
async function deploy(word: string, revision: string | undefined, amount?: string): Promise<void> {
  const before = output.length;
  save("agents/refund-desk.ts", agent(revision));
  save("tools/issue-refund.ts", tool(word, amount));
  await reloaded(before);
}

const reloaded = (before: number) =>
  expect.poll(() => output.slice(before).join(), { interval: 20 }).toMatch(/reloaded after .*: worker/);

const worker = () => {
  const found = platform.model.functions.find(({ label }) => label === "Worker");
  if (!found) throw new Error("there is no worker");
  return found;
};

type Run = { run_id: string; session_id: string };

async function pausedRun(): Promise<Run> {
  const accepted = await client().createAgentRun({ path, body: { message, background: true } });
  if (!("run_id" in accepted) || !("session_id" in accepted)) throw new Error("the run was not accepted");
  const { run_id, session_id } = accepted as Run;
  await expect.poll(() => statusOf({ run_id, session_id })).toBe("PAUSED");
  return { run_id, session_id };
}

const read = (run: Run) =>
  client().getAgentRun({ path: { ...path, run_id: run.run_id }, query: { session_id: run.session_id } });

const statusOf = async (run: Run) => (await read(run)).status;

async function confirm(run: Run): Promise<void> {
  const { tools = [] } = await read(run);
  const answered = tools.map((call) => ({ ...call, confirmed: true }));
  await client().continueAgentRun({
    path: { ...path, run_id: run.run_id },
    body: { session_id: run.session_id, tools: JSON.stringify(answered), background: true, stream: false },
  });
}

async function ended(run: Run) {
  await expect.poll(() => statusOf(run)).not.toMatch(/PENDING|RUNNING|PAUSED/);
  return read(run);
}

beforeAll(async () => {
  // Inside of the project's packages, where the copy finds them.
  const cache = join(project, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  sources = mkdtempSync(join(cache, "pinned-runs-"));
  for (const name of ["package.json", "tsconfig.json", "functions/worker", "shared"]) {
    cpSync(join(project, name), join(sources, name), { recursive: true });
  }
  for (const name of ["lib", "bin", "registry", "registry/agents", "registry/tools"])
    mkdirSync(join(sources, name));
  save("index.ts", index);
  save("agents/refund-desk.ts", agent(undefined));
  save("tools/issue-refund.ts", tool("first"));
  platform = await startPlatform({ watch: { sources, reloaded: (line) => output.push(line) } });
});
afterAll(async () => {
  await platform.stop();
  rmSync(sources, { recursive: true, force: true });
});

describe("a run that waits for a person while the worker is replaced", () => {
  test("continues with the code it began with, and a new run has the current code", async () => {
    await reloaded(0);
    const run = await pausedRun();
    await deploy("second", "1");
    await confirm(run);
    expect((await ended(run)).content).toContain("first");
    const other = await pausedRun();
    await confirm(other);
    expect((await ended(other)).content).toContain("second");
  });

  test("continues with the current code when its own is gone and the component's revision is the same", async () => {
    const run = await pausedRun();
    const began = platform.lambda.liveVersion(worker()) ?? "";
    await deploy("third", "1");
    expect(platform.lambda.deleteVersion(worker(), began)).toBe(true);
    await confirm(run);
    expect((await ended(run)).content).toContain("third");
  });

  test("fails with the reason when the revision is another one, and a requeue has it go on with the current code", async () => {
    const run = await pausedRun();
    const began = platform.lambda.liveVersion(worker()) ?? "";
    await deploy("fourth", "2");
    platform.lambda.deleteVersion(worker(), began);
    await confirm(run);
    const failed = await ended(run);
    expect(failed.status).toBe("ERROR");
    expect(failed.content).toContain(
      "agent refund-desk, which was at revision 1 when the run began, is at revision 2 now",
    );
    const job = await client().getJob({ path: { job_id: run.run_id } });
    expect(job).toMatchObject({ status: "failed", error: expect.stringContaining(`version ${began}`) });

    await client().requeueJob({ path: { job_id: run.run_id }, query: { force: true } });
    await expect.poll(() => statusOf(run)).toBe("COMPLETED");
    expect((await read(run)).content).toContain("fourth");
  });

  test("fails with the reason when a person has answered for a tool that is another one now", async () => {
    await deploy("before", "3");
    const run = await pausedRun();
    const began = platform.lambda.liveVersion(worker()) ?? "";
    await deploy("after", "3", "v.pipe(v.number(), v.integer())");
    platform.lambda.deleteVersion(worker(), began);
    await confirm(run);
    const reason = "the tool issue_refund has changed since a person was asked about its call";
    expect(await ended(run)).toMatchObject({ status: "ERROR", content: expect.stringContaining(reason) });
    await client().requeueJob({ path: { job_id: run.run_id }, query: { force: true } });
    await expect
      .poll(() => client().getJob({ path: { job_id: run.run_id } }))
      .toMatchObject({ status: "failed", attempt: 3, error: expect.stringContaining(reason) });
  });

  test("fails when its code is gone and no revision was declared", async () => {
    await deploy("fifth", undefined);
    const run = await pausedRun();
    const began = platform.lambda.liveVersion(worker()) ?? "";
    await deploy("sixth", undefined);
    platform.lambda.deleteVersion(worker(), began);
    await confirm(run);
    expect(await ended(run)).toMatchObject({
      status: "ERROR",
      content: expect.stringContaining("declared no revision"),
    });
  });
});

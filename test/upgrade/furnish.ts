import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "../../client/index.ts";
import { HANGS_AFTER_MS } from "../support/hangs-after.ts";

/** Who works with the release that is recorded, each with a client. */
export type People = { readonly admin: Client; readonly maria: Client };
export type Furnished = Awaited<ReturnType<typeof furnish>>;

/** How long the runs last that keep all places of the worker: until the release is killed. */
const BUSY_MS = 120_000;
/** Places of the worker, with the settings of the recording. */
export const PLACES = 2;

/** Too long for an item of a table, packed too. */
export const LONG = Array.from({ length: 20_000 }, (_, at) =>
  ((at * 2_654_435_761) % 2 ** 32).toString(36),
).join("");

async function until<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
  for (const end = Date.now() + HANGS_AFTER_MS; Date.now() < end; await pause(100)) {
    const answer = await ask();
    if (answer !== undefined) return answer;
  }
  throw new Error(`it did not come to it: ${what}`);
}

/**
 * Leaves in a platform what a release has in it when it is replaced: runs that have ended, runs that wait for each kind of
 * answer, runs at work, queued ones, and one of everything else that is stored.
 */
export async function furnish({ admin, maria }: People) {
  const ended = await endedRuns(maria);
  const paused = await pausedRuns(maria);
  const rest = await everythingElse(admin, maria);
  // They are last: the worker has no place left after them.
  return { ended, paused, ...rest, ...(await jobs(maria)) };
}

const ask = (client: Client, agent_id: string, message: string, more: object = {}) =>
  client.createAgentRun({ path: { agent_id }, body: { message, stream: false, ...more } });
const addressOf = ({ run_id, session_id }: { readonly run_id: string; readonly session_id: string }) => ({
  run_id,
  session_id,
});
const inBackground = { background: true };

async function endedRuns(maria: Client) {
  const session_id = "a talk / with 100%";
  const first = await ask(maria, "assistant", "the first message", { session_id });
  await ask(maria, "assistant", 'sum [[tool:add_numbers {"a":2,"b":3}]]', { session_id });
  const background = await ask(maria, "assistant", "in the background", inBackground);
  const failed = await ask(maria, "assistant", "[[fail:the model is down]]", inBackground);
  const team = await maria.createTeamRun({
    path: { team_id: "support-team" },
    body: { message: "a message for the team", stream: false },
  });
  const long = await ask(maria, "assistant", LONG);
  for (const run of [background, failed])
    await until("background runs have ended", async () => {
      const { status } = await maria.getAgentRun({
        path: { agent_id: "assistant", run_id: run.run_id },
        query: { session_id: run.session_id },
      });
      return status === "PENDING" || status === "RUNNING" ? undefined : status;
    });
  return {
    first: addressOf(first),
    background: addressOf(background),
    failed: addressOf(failed),
    team: addressOf(team),
    long: addressOf(long),
  };
}

/** By where they began; the confirmation in the background is answered while no place is free. */
async function pausedRuns(maria: Client) {
  const refund = '[[tool:issue_refund {"order_id":"A-1","amount":5}]]';
  const close = '[[tool:close_account {"account":"K-7"}]]';
  const task = JSON.stringify({ member_id: "refund-desk", task: refund });
  const confirmation = await ask(maria, "refund-desk", refund);
  const queued = await ask(maria, "refund-desk", refund, inBackground);
  const approval = await ask(maria, "account-desk", close, inBackground);
  const team = await maria.createTeamRun({
    path: { team_id: "support-team" },
    body: { message: `[[tool:delegate_task_to_member ${task}]]`, stream: false },
  });
  const workflow = await maria.createWorkflowRun({
    path: { workflow_id: "publish-report" },
    body: { message: "the history of the lighthouse", stream: false },
  });
  for (const [agent_id, run] of [
    ["refund-desk", queued],
    ["account-desk", approval],
  ] as const)
    await until("runs in the background have paused", async () => {
      const path = { agent_id, run_id: run.run_id };
      const { status } = await maria.getAgentRun({ path, query: { session_id: run.session_id } });
      return status === "PAUSED" ? status : undefined;
    });
  return {
    confirmation: addressOf(confirmation),
    queued: addressOf(queued),
    approval: addressOf(approval),
    team: addressOf(team),
    workflow: addressOf(workflow),
  };
}

async function everythingElse(admin: Client, maria: Client) {
  const component_id = "complaints";
  const config = { instructions: ["Be short."], tools: [{ name: "add_numbers" }] };
  await admin.createComponent({
    body: { component_id, name: "Complaints", component_type: "agent", stage: "published", config },
  });
  await admin.createConfigVersion({
    path: { component_id },
    body: { config: { ...config, instructions: ["Be long."] }, notes: "a draft" },
  });
  const schedule = (name: string, endpoint: string) =>
    maria.createSchedule({
      body: { name, cron_expr: "0 7 * * 1", endpoint, payload: { message: `by ${name}` } },
    });
  const { id: schedule_id } = await schedule("weekly", "/agents/assistant/runs");
  const { id: disabled_id } = await schedule("never", "/agents/assistant/runs");
  await maria.disableSchedule({ path: { schedule_id: disabled_id } });
  const memory = await maria.createMemory({ body: { memory: "Sails in summer.", topics: ["sailing"] } });
  const { learning_id } = await admin.createLearning({
    body: { learning_type: "user_profile", user_id: "maria", content: { city: "Bern" } },
  });
  const { id: content_id } = await admin.addContent({
    body: { name: "Lighthouse", text_content: "The lighthouse of Skerryvore was lit in 1844." },
  });
  await until("the content can be searched", async () => {
    const { status } = await admin.getContentStatus({ path: { content_id } });
    return status === "completed" ? status : undefined;
  });
  const { id: eval_run_id } = await admin.createEval({
    body: {
      ...{ eval_type: "reliability", agent_id: "assistant", name: "adds", background: true },
      ...{ input: '[[tool:add_numbers {"a":1,"b":2}]]', expected_tool_calls: ["add_numbers"] },
    },
  });
  await until("the evaluation has ended", async () => {
    const { status } = await admin.getEval({ path: { eval_run_id } });
    return status === "running" ? undefined : status;
  });
  const { token } = await admin.mintServiceAccount({
    body: { name: "reports", scopes: [{ scope: "sessions:read" }, { scope: "agents:read" }] },
  });
  return {
    component_id,
    schedule_id,
    disabled_id,
    memory_id: memory.memory_id,
    learning_id,
    content_id,
    eval_run_id,
    serviceToken: token,
  };
}

/** Runs at work in every place, then such that wait for one. */
async function jobs(maria: Client) {
  const busy = await Promise.all(
    Array.from({ length: PLACES }, () => ask(maria, "assistant", `[[sleep:${BUSY_MS}]]`, inBackground)),
  );
  for (const run of busy)
    await until("all places are taken", async () => {
      const path = { agent_id: "assistant", run_id: run.run_id };
      const { status } = await maria.getAgentRun({ path, query: { session_id: run.session_id } });
      return status === "RUNNING" ? status : undefined;
    });
  const agent = await ask(maria, "assistant", "queued in a session of its own", inBackground);
  const next = await ask(maria, "assistant", "queued in the same one", {
    ...inBackground,
    session_id: agent.session_id,
  });
  const team = await maria.createTeamRun({
    path: { team_id: "support-team" },
    body: { message: "queued for the team", background: true },
  });
  return {
    atWork: busy.map(addressOf),
    queued: { agent: addressOf(agent), next: addressOf(next), team: addressOf(team) },
  };
}

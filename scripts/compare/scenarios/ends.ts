import { runsOf, toolCall } from "../run-requests.ts";
import type { Scenario } from "../stage.ts";
import type { Item } from "../stored-item.ts";

const assistant = "agents/assistant";
const adding = toolCall("add_numbers", { a: 2, b: 3 });

const failing: Scenario = async (stage) => {
  const runs = runsOf(stage, assistant);
  await runs.wait("[[fail:boom]]");
  await runs.stream(`${adding}[[fail:boom]]`);
  const failed = await runs.queue("[[fail:boom]]");
  await runs.recordRun(failed);
  const job = `/queue/jobs/${failed.run_id}`;
  await stage.send("GET", job, undefined, "admin");
  await stage.send("POST", `${job}/requeue`, undefined, "admin");
  await stage.send("POST", `${job}/requeue?force=true`, undefined, "admin");
  await stage.until<{ status: string }>(job, ({ status }) => status === "failed", "admin");
};

/** Long enough for the events and the checkpoint of a step to be written during the next step. */
const SLEEP = "[[sleep:60000]]";

/** Whether the step before is stored, with its checkpoint. */
function hasStep(items: readonly Item[]): boolean {
  const isStored = items.some(({ checkpoint }) => checkpoint !== undefined);
  return isStored && JSON.stringify(items).includes("ToolCallCompleted");
}

/** Cancels a run during a model call, after a step with a stored checkpoint, and one that waits for a person. */
const cancelled: Scenario = async (stage) => {
  const runs = runsOf(stage, assistant);
  const working = await runs.enqueue(`${adding}${SLEEP}`);
  await stage.until<{ status: string }>(runs.pathOf(working), ({ status }) => status === "RUNNING");
  await stage.recordStored(hasStep);
  await stage.send("POST", runs.pathOf(working, "/cancel"));
  await runs.untilStopped(working);
  await runs.recordRun(working);
  const refunds = runsOf(stage, "agents/refund-desk");
  const paused = await refunds.queue(toolCall("issue_refund", { order_id: "o-1", amount: 5 }));
  await stage.send("POST", refunds.pathOf(paused, "/cancel"));
  await refunds.recordRun(paused);
};

/** A run is continued from its end and from an earlier checkpoint, and regenerated; its session is forked. */
const forked: Scenario = async (stage) => {
  const runs = runsOf(stage, assistant);
  const run = await runs.wait(adding);
  await stage.send("GET", runs.pathOf(run, "/checkpoints"));
  await stage.send("GET", runs.pathOf(run, "/checkpoints/1"));
  await runs.continueRun(run, { input: "and then?" });
  await runs.continueRun(run, { input: "from there", continue_from: "1" });
  await runs.continueRun(run, { regenerate: "true" });
  await runs.recordRun(run);
  await stage.send("POST", `/agents/assistant/sessions/${run.session_id}/fork`);
};

/** A request is repeated with the same idempotency key, and the key is used for another agent. */
const repeated: Scenario = async (stage) => {
  const form = { message: "once", stream: "false", background: "true" };
  const headers = { "idempotency-key": `${stage.name}-key` };
  const runs = runsOf(stage, assistant);
  const run = await stage.send("POST", "/agents/assistant/runs", { form, headers });
  await runs.untilStopped(run);
  await stage.send("POST", "/agents/assistant/runs", { form, headers });
  await stage.send("POST", "/agents/refund-desk/runs", { form, headers });
};

export const endScenarios = { failing, cancelled, forked, repeated };

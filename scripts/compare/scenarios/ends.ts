import { setTimeout as pause } from "node:timers/promises";
import { runsOf, toolCall } from "../run-requests.ts";
import type { Scenario } from "../stage.ts";

const assistant = "agents/assistant";
const adding = toolCall("add_numbers", { a: 2, b: 3 });

const failing: Scenario = async (stage) => {
  const runs = runsOf(stage, assistant);
  await runs.wait("[[fail:boom]]");
  await runs.stream(`${adding}[[fail:boom]]`);
  const failed = await runs.queue("[[fail:boom]]");
  await runs.look(failed);
  const job = `/queue/jobs/${failed.run_id}`;
  await stage.send("GET", job, undefined, "admin");
  await stage.send("POST", `${job}/requeue`, undefined, "admin");
  await stage.send("POST", `${job}/requeue?force=true`, undefined, "admin");
  await stage.until<{ status: string }>(job, ({ status }) => status === "failed", "admin");
};

/** Long enough that events and checkpoint of a step are written while the next one waits. */
const SLEEP = "[[sleep:20000]]";
const WRITTEN_MS = 1_000;

/** Stopped while a model answers, after a step whose checkpoint is stored by then; and while it waits for a person. */
const cancelled: Scenario = async (stage) => {
  const runs = runsOf(stage, assistant);
  const working = await runs.begin(`${adding}${SLEEP}`);
  await stage.until<{ status: string }>(runs.pathOf(working), ({ status }) => status === "RUNNING");
  await pause(WRITTEN_MS);
  await stage.recordStored();
  await stage.send("POST", runs.pathOf(working, "/cancel"));
  await runs.rest(working);
  await runs.look(working);
  const refunds = runsOf(stage, "agents/refund-desk");
  const paused = await refunds.queue(toolCall("issue_refund", { order_id: "o-1", amount: 5 }));
  await stage.send("POST", refunds.pathOf(paused, "/cancel"));
  await refunds.look(paused);
};

/** A run goes on from its end and from its middle, is answered anew, and its session is copied. */
const forked: Scenario = async (stage) => {
  const runs = runsOf(stage, assistant);
  const run = await runs.wait(adding);
  await stage.send("GET", runs.pathOf(run, "/checkpoints"));
  await stage.send("GET", runs.pathOf(run, "/checkpoints/1"));
  await runs.goOn(run, { input: "and then?" });
  await runs.goOn(run, { input: "from there", continue_from: "1" });
  await runs.goOn(run, { regenerate: "true" });
  await runs.look(run);
  await stage.send("POST", `/agents/assistant/sessions/${run.session_id}/fork`);
};

/** A request that is sent twice, and one by somebody else. */
const repeated: Scenario = async (stage) => {
  const form = { message: "once", stream: "false", background: "true" };
  const headers = { "idempotency-key": `${stage.name}-key` };
  const runs = runsOf(stage, assistant);
  const run = await stage.send("POST", "/agents/assistant/runs", { form, headers });
  await runs.rest(run);
  await stage.send("POST", "/agents/assistant/runs", { form, headers });
  await stage.send("POST", "/agents/refund-desk/runs", { form, headers });
};

export const endScenarios = { failing, cancelled, forked, repeated };

import { createHash } from "node:crypto";
import * as v from "valibot";
import { defineAgent } from "../shared/engine/define/agent.ts";
import { executeAgentRun } from "../shared/engine/loop/execute-agent-run.ts";
import { connectModelGate } from "../shared/engine/model/connect-model-gate.ts";
import { createModels } from "../shared/engine/model/create-models.ts";
import { type ModelGate, NO_KEY } from "../shared/engine/model/model-gate.ts";
import { defineTool } from "../shared/engine/tool/tool.ts";
import { systemClock } from "../shared/runtime/clock.ts";
import type { Message, RunMetrics } from "../shared/schemas/runs/run.ts";
import { readModel } from "../shared/stores/models/model-item.ts";
import { anthropicCache } from "../test/support/hostile-model/anthropic-cache.ts";
import { startHostileModel } from "../test/support/hostile-model/start-hostile-model.ts";
import { startStores } from "../test/support/stores.ts";
import { printLongRun } from "./agent-cost/long-run.ts";

/*
 * What a long-running agent costs, with and without the cache of its model's service: input tokens, the share that was read
 * from the cache, and dollars at the list price of Claude Sonnet. The service is a stand-in that caches by the rules of
 * Anthropic's documentation; nothing is sent to the network.
 */

const SPEC = "anthropic:claude-hostile";
/** Dollars for a million tokens of Claude Sonnet; those of the cache follow from them. */
const prices = { [SPEC]: { input_per_million: 3, output_per_million: 15 } };

const look = defineTool({
  name: "look",
  description: "Looks a number up.",
  parameters: v.object({ at: v.number() }),
  effect: "safe",
  execute: ({ at }) => `At ${at}: ${createHash("sha256").update(String(at)).digest("hex").repeat(15)}`,
});
const agent = defineAgent({
  id: "reader",
  name: "Reader",
  instructions: "Follow the rules of the house. ".repeat(260),
  tools: [look],
  add_history_to_context: true,
  add_datetime_to_context: true,
});

type Result = {
  readonly calls: number;
  readonly input: number;
  readonly read: number;
  readonly dollars: number;
};

/** A session of so many runs, each with so many calls of the tool before its answer. */
async function session(runs: number, toolCalls: number, PROMPT_CACHE: "on" | "off"): Promise<Result> {
  const hostile = await startHostileModel();
  const cache = anthropicCache();
  let calls = 0;
  hostile.plan("plan-cost", ({ body }) => {
    const at = calls++ % (toolCalls + 1);
    const usage = { ...cache.count(body), output: 60 };
    const call = { id: `call-${calls}`, name: "look", arguments: JSON.stringify({ at: calls }) };
    return at < toolCalls ? { calls: [call], usage } : { text: ["Done."], usage };
  });
  const models = createModels({
    ...hostile.environment,
    MODEL: SPEC,
    MODEL_PRICES: prices,
    PROMPT_CACHE,
    MODEL_PROVIDERS: { anthropic: { baseUrl: `${hostile.url}/v1` } },
  });
  const history: Message[] = [];
  const used: RunMetrics[] = [];
  let ids = 0;
  for (let run = 1; run <= runs; run += 1) {
    const outcome = await executeAgentRun(
      agent,
      {
        run_id: `run-${run}`,
        session_id: "session",
        user_id: null,
        input: `plan-cost ${run}`,
        history,
        session_state: {},
        created_at: 0,
      },
      {
        models,
        clock: systemClock,
        newId: () => `id-${++ids}`,
        signal: new AbortController().signal,
        emit: () => undefined,
      },
    );
    if (outcome.status !== "COMPLETED") throw new Error(`the run is ${outcome.status}`);
    const { messages = [], metrics = {} } = outcome.output;
    history.push(...messages.filter(({ role, from_history }) => role !== "system" && !from_history));
    used.push(metrics);
  }
  await hostile.stop();
  const sum = (count: (one: RunMetrics) => number | undefined) =>
    used.reduce((total, one) => total + (count(one) ?? 0), 0);
  return {
    calls,
    input: sum((one) => one.input_tokens),
    read: sum((one) => one.cache_read_tokens),
    dollars: sum((one) => one.cost),
  };
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;

console.log("| What | calls | input tokens | read from the cache | without the cache | with it | saved |");
console.log("| --- | --- | --- | --- | --- | --- | --- |");
for (const [name, runs, toolCalls] of [
  ["one run of 10 calls", 1, 9],
  ["one run of 50 calls", 1, 49],
  ["6 runs of a session, 2 calls each", 6, 1],
] as const) {
  const without = await session(runs, toolCalls, "off");
  const cached = await session(runs, toolCalls, "on");
  const cells = [
    name,
    cached.calls,
    cached.input,
    percent(cached.read / cached.input),
    `$${without.dollars.toFixed(4)}`,
    `$${cached.dollars.toFixed(4)}`,
    percent(1 - cached.dollars / without.dollars),
  ];
  console.log(`| ${cells.join(" | ")} |`);
}

console.log();
await printLongRun();

/*
 * What it costs a plain run until its first token: runs that share with all workers what is known of their model, which is one
 * consistent read of the local store beside the one that every run begins with, and runs that do not, by turns in one process,
 * so that both meet the same machine.
 */
const RUNS = 60;
const stores = await startStores();
const hostile = await startHostileModel();
hostile.plan("plan-plain", () => ({ text: ["Done."] }));
const plain = createModels({
  ...hostile.environment,
  MODEL: SPEC,
  MODEL_PROVIDERS: { anthropic: { baseUrl: `${hostile.url}/v1` } },
});

async function firstToken(modelGate: ModelGate | undefined): Promise<number> {
  const from = performance.now();
  const first = Promise.withResolvers<number>();
  const { account = NO_KEY } = await plain.resolve(SPEC);
  void modelGate?.prepare(SPEC, account);
  await readModel(stores.db, "of a run's record", "the same");
  await executeAgentRun(
    agent,
    {
      ...{ run_id: "run", session_id: "session", user_id: null, input: "plan-plain" },
      ...{ history: [], session_state: {}, created_at: 0 },
    },
    {
      models: plain,
      clock: systemClock,
      newId: () => "id",
      signal: new AbortController().signal,
      emit: ({ event }) => {
        if (event === "RunContent") first.resolve(performance.now() - from);
      },
      ...(modelGate && { modelGate }),
    },
  );
  return first.promise;
}

const alone: number[] = [];
const shared: number[] = [];
for (let run = 0; run < RUNS; run += 1) {
  alone.push(await firstToken(undefined));
  // A new one each time has cached nothing, as a function that has slept for a second.
  const log = { warn: console.warn };
  shared.push(
    await firstToken(connectModelGate({ db: stores.db, clock: systemClock, log }, { MODEL: SPEC })),
  );
}
await Promise.all([stores.stop(), hostile.stop()]);
const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;
const later = median(shared) - median(alone);
console.log(
  `\nFirst token of a plain run, median of ${RUNS}: ${median(alone).toFixed(1)} ms alone, ` +
    `${median(shared).toFixed(1)} ms with what all workers share, ${later.toFixed(1)} ms later.`,
);

import { describe, expect, test } from "vitest";
import type { Agent } from "../../shared/engine/define/agent.ts";
import { registryProblems } from "../../shared/engine/define/registry-problems.ts";
import { executeSlice } from "../../shared/engine/loop/execute-slice.ts";
import { createModels } from "../../shared/engine/model/create-models.ts";
import type { DailyBudget } from "../../shared/engine/ports/budget-port.ts";
import type { SpanEnd, SpanStart, TraceSpan } from "../../shared/engine/ports/tracing.ts";
import type { RunState } from "../../shared/engine/run/run-state.ts";
import { stateFromRun } from "../../shared/engine/run/state-from-run.ts";
import type { Reply } from "../support/hostile-model/turn.ts";
import { useHostileModel } from "../support/hostile-model/use-hostile-model.ts";
import { continueAgent } from "./support/continue-agent.ts";
import {
  anAgent,
  aRequest,
  aTool,
  eventsOf,
  type How,
  runAgent,
  tickingClock,
  withPorts,
} from "./support/run-agent.ts";

const hostile = useHostileModel();

/** The agent's own model, and those that stand in for it. */
const OWN = "openai-compatible:own";
const SECOND = "openai-compatible:second";
const THIRD = "openai-compatible:third";
const price = (dollars: number) => ({ input_per_million: dollars, output_per_million: dollars });
const instant = { ...tickingClock(), sleep: async () => undefined };

let plans = 0;
/** Plans the model's answers, in the order of all calls whatever model is named in them. */
function planned(replies: readonly Reply[], settings: Partial<Agent> = {}) {
  const name = `plan-fallback-${++plans}`;
  const { requests } = hostile().plan(name, replies);
  const models = createModels({
    ...hostile().environment,
    MODEL: OWN,
    MODEL_PRICES: { [OWN]: price(1), [SECOND]: price(10), [THIRD]: price(100) },
  });
  const agent = anAgent({ fallback_models: [SECOND, THIRD], ...settings });
  return { name, agent, models, asked: () => requests.map(({ body }) => body.model) };
}

async function runOver(replies: readonly Reply[], settings: Partial<Agent> = {}, how: How = {}) {
  const { name, agent, models, asked } = planned(replies, settings);
  const run = await runAgent(name, { agent, models, clock: instant, ...how });
  return { ...run, output: run.outcome.output, asked: asked() };
}

const failing = (status: number, message = `status ${status}`): Reply => ({
  fails: { kind: "status", status, message },
});
const five: Reply = { text: ["Five."], usage: { input: 1000, output: 1000 } };

describe("a call that the agent's own model has failed", () => {
  test.each([
    ["unavailable", failing(503), {}],
    ["unavailable", failing(408), {}],
    ["unavailable", { fails: { kind: "reset", when: "before_headers" } } as Reply, {}],
    ["rate_limit", failing(429), { fallback_config: { on_rate_limit: [SECOND] } }],
    ["rate_limit", failing(529), { fallback_config: { on_error: [SECOND] } }],
    [
      "context_overflow",
      failing(400, "This model's maximum context length is 8192 tokens"),
      { fallback_config: { on_context_overflow: [SECOND], on_error: [THIRD] } },
    ],
    ["refused", { text: [], end: "content_filter" } as Reply, { fallback_config: { on_refused: [SECOND] } }],
  ])("is made by the first model of the list for it: %s", async (kind, reply, settings) => {
    const run = await runOver([reply, five], settings);
    expect(run.output).toMatchObject({ status: "COMPLETED", content: "Five.", model: "own" });
    expect(run.asked).toEqual(["own", "second"]);
    expect(run.output.metrics?.additional_metrics?.fallbacks).toEqual([
      { call: 1, from: "own", to: "second", class: kind },
    ]);
    expect(eventsOf(run, "ModelRequestStarted").map(({ model }) => model)).toEqual(["own", "second"]);
    expect(eventsOf(run, "ModelRequestCompleted").at(-1)).toMatchObject({ model: "second" });
  });

  test.each([
    [400, {}],
    [401, {}],
    [403, {}],
    [404, {}],
    [422, {}],
  ])("is made by none where the request or the credential is refused: %i", async (status) => {
    const run = await runOver([failing(status), five]);
    expect(run.output.status).toBe("ERROR");
    expect(run.asked).toEqual(["own"]);
  });

  test("is made by none where a filter refused the answer and no list says so", async () => {
    const run = await runOver([{ text: [], end: "content_filter" }, five]);
    expect(run.output.status).toBe("ERROR");
    expect(run.asked).toEqual(["own"]);
  });

  test("fails with what the agent's own model said, where all fail", async () => {
    const run = await runOver([
      failing(503, "own is down"),
      failing(500, "second is down"),
      failing(429, "third is full"),
    ]);
    expect(run.outcome).toMatchObject({ status: "ERROR", error: "own is down", mayPass: true });
    expect(run.asked).toEqual(["own", "second", "third"]);
  });

  test("is retried first, by each model", async () => {
    const run = await runOver([failing(503), failing(503), failing(503), failing(503), five], { retries: 1 });
    expect(run.output.status).toBe("COMPLETED");
    expect(run.asked).toEqual(["own", "own", "second", "second", "third"]);
  });
});

test("what each model used is counted and priced as its own", async () => {
  const { tool } = aTool();
  const call: Reply = {
    calls: [{ id: "a", name: "add", arguments: '{"a":1,"b":2}' }],
    usage: { input: 1000, output: 1000 },
  };
  const run = await runOver([call, failing(503), five], { tools: [tool] });
  expect(run.output.metrics?.details?.model).toMatchObject([
    { id: "own", input_tokens: 1000, output_tokens: 1000, cost: 0.002 },
    { id: "second", input_tokens: 1000, output_tokens: 1000, cost: 0.02 },
  ]);
  expect(run.output.metrics).toMatchObject({ input_tokens: 2000, output_tokens: 2000 });
  // Each call by the price of the model that made it.
  const calls = (run.output.messages ?? []).filter(({ role }) => role === "assistant");
  expect(calls.map(({ metrics }) => metrics?.cost)).toEqual([0.002, 0.02]);
  expect(run.output.metrics?.cost).toBeCloseTo(0.022, 10);
});

test("what each model used is counted as its own once the run is continued after a question too", async () => {
  const { tool } = aTool({ requires_confirmation: true });
  const call: Reply = {
    calls: [{ id: "a", name: "add", arguments: '{"a":1,"b":2}' }],
    usage: { input: 1000, output: 1000 },
  };
  const { name, agent, models } = planned([failing(503), call, five], { tools: [tool] });
  const { outcome } = await runAgent(name, { agent, models, clock: instant });
  expect(outcome.status).toBe("PAUSED");
  const from = stateFromRun(outcome.output, outcome.output.tools ?? [], instant.now());
  const run = await continueAgent(from, { confirmed: true }, { agent, models, clock: instant });
  const { details, cost } = run.outcome.output.metrics ?? {};
  const total = (details?.model ?? []).map(({ id, total_tokens = 0 }) => [id, total_tokens]);
  expect(Object.fromEntries(total)).toMatchObject({ second: 2000 });
  expect(cost).toBeCloseTo(
    (details?.model ?? []).reduce((sum, one) => sum + (one.cost ?? 0), 0),
    10,
  );
  expect(cost).toBeGreaterThan(0.02);
});

test("each try has a span of its own, which names its model, what it used and why it failed", async () => {
  const spans: { start: SpanStart; end?: SpanEnd | undefined }[] = [];
  const child = (start: SpanStart): TraceSpan => {
    const span: (typeof spans)[number] = { start };
    spans.push(span);
    return {
      child,
      end: (end) => {
        span.end = end;
      },
    };
  };
  await runOver([failing(503), five], {}, { span: { child, end: () => undefined } });
  const tries = spans.filter(({ start }) => start.kind === "LLM");
  expect(new Set(tries.map(({ start }) => start.key)).size).toBe(2);
  expect(tries).toMatchObject([
    { start: { name: "own.invoke", facts: { model: "own" } }, end: { error: "status 503" } },
    {
      start: { name: "second.invoke", facts: { model: "second" } },
      end: { output: "Five.", usage: { output_tokens: 1000 } },
    },
  ]);
});

test("a day's budget holds what each model that is asked may cost, and is charged what it cost", async () => {
  const held: [string, number][] = [];
  const settled: number[] = [];
  const dailyBudget: DailyBudget = {
    reserve: async (call, { cost }) => {
      held.push([call, cost]);
      return { granted: true, settle: async (used) => void settled.push(used.cost) };
    },
  };
  await runOver([failing(503), five], {}, { dailyBudget });
  const [[first, own] = ["", 0], [second, other] = ["", 0]] = held;
  expect(first).not.toBe(second);
  // Both may answer with 4,096 tokens; the second model costs ten times as much.
  expect(other / own).toBeCloseTo(10, 1);
  expect(settled).toEqual([0, expect.closeTo(0.02, 10)]);
});

test("a budget in dollars holds what the model that is asked may cost", async () => {
  const run = await runOver([failing(503), five], { max_cost_per_run: 0.02 });
  // 4,096 tokens of the second model cost $0.041, of the first $0.0041.
  expect(run.output.status).toBe("PAUSED");
  expect(run.asked).toEqual(["own"]);
});

describe("a model that answered in place of the agent's own", () => {
  const call = (n: number): Reply => ({
    calls: [{ id: `c${n}`, name: "add", arguments: `{"a":${n},"b":2}` }],
  });

  test("stays for 300 seconds, then the agent's own is asked again", async () => {
    let now = 1_000_000;
    const { tool } = aTool({
      execute: ({ a }) => {
        now += a === 1 ? 299_000 : 2_000;
        return "done";
      },
    });
    const clock = { now: () => now, sleep: async () => undefined };
    const run = await runOver([failing(503), call(1), call(2), five], { tools: [tool] }, { clock });
    expect(run.asked).toEqual(["own", "second", "second", "own"]);
  });

  test.each([["is handed off"], ["is killed"]])(
    "stays for as long where the process %s after every step, and another resumes the run",
    async (fate) => {
      let now = 1_000_000;
      const { tool } = aTool({
        execute: ({ a }) => {
          now += a === 2 ? 299_000 : 1_000;
          return "done";
        },
      });
      const clock = { now: () => now, sleep: async () => undefined };
      const replies = [failing(503), call(1), call(2), five];
      const { name, agent, models, asked } = planned(replies, { tools: [tool] });
      let state: RunState | undefined;
      let processes = 0;
      const { outcome } = await withPorts({ models, clock }, async (ports) => {
        for (;;) {
          processes += 1;
          const slice = await executeSlice(
            agent,
            aRequest(name),
            {
              ...ports,
              shouldYield: () => fate === "is handed off",
              saveCheckpoint: async (saved) => {
                state = JSON.parse(JSON.stringify(saved));
                throw new Error("killed");
              },
            },
            state,
          ).catch((error: Error) => {
            if (error.message !== "killed") throw error;
          });
          if (slice && slice.status !== "YIELDED") return slice;
          if (slice) state = JSON.parse(JSON.stringify(slice.state));
        }
      });
      expect(outcome.status).toBe("COMPLETED");
      expect(processes).toBeGreaterThan(5);
      expect(asked()).toEqual(["own", "second", "second", "own"]);
    },
  );

  test("is followed by the others and the agent's own where it fails later", async () => {
    const { tool } = aTool();
    const run = await runOver([failing(503), call(1), failing(503), failing(503), five], { tools: [tool] });
    expect(run.asked).toEqual(["own", "second", "second", "third", "own"]);
    expect(run.output.status).toBe("COMPLETED");
  });
});

describe("an answer that breaks off", () => {
  const cut = (text: string[], after_deltas: number): Reply => ({
    text,
    fails: { kind: "cut", after_deltas },
  });

  test.each([1, 2, 3])(
    "after %i deltas is continued: the deltas together are the content, and no tool runs twice",
    async (n) => {
      const { tool, seen } = aTool();
      const called: Reply = {
        text: ["I ", "add ", "now. "],
        calls: [{ id: "a", name: "add", arguments: '{"a":1,"b":2}' }],
      };
      const run = await runOver([{ ...called, fails: { kind: "cut", after_deltas: n } }, called, five], {
        tools: [tool],
        retries: 2,
      });
      const deltas = eventsOf(run, "RunContent").map(({ content }) => content);
      expect(run.output).toMatchObject({ status: "COMPLETED", content: deltas.join("") });
      expect(seen).toHaveLength(1);
    },
  );

  test("is continued by its model once, then by the next", async () => {
    const run = await runOver([cut(["a", "x"], 1), cut(["b", "x"], 1), { text: ["c"] }], { retries: 2 });
    expect(run.output).toMatchObject({ status: "COMPLETED", content: "abc" });
    expect(run.asked).toEqual(["own", "own", "second"]);
  });

  test("is continued by the next at once where there are no retries", async () => {
    const run = await runOver([cut(["a", "x"], 1), { text: ["b"] }]);
    expect(run.output).toMatchObject({ status: "COMPLETED", content: "ab" });
    expect(run.asked).toEqual(["own", "second"]);
  });
});

test("a registry whose agent names a model that is none has a problem", () => {
  const agent = anAgent({ fallback_models: ["gpt-six"] });
  const problems = registryProblems({ agents: [agent], teams: [], workflows: [] }, () => false);
  expect(problems.map(({ text }) => text)).toEqual([expect.stringContaining('names the model "gpt-six"')]);
});

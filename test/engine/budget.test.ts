import { describe, expect, test } from "vitest";
import { executeSlice } from "../../shared/engine/loop/execute-slice.ts";
import { createModels } from "../../shared/engine/model/create-models.ts";
import type { DailyBudget } from "../../shared/engine/ports/budget-port.ts";
import type { RunState } from "../../shared/engine/run/run-state.ts";
import type { ToolExecution } from "../../shared/schemas/runs/run.ts";
import { anAgent, aRequest, aTool, runAgent, scripted, tickingClock } from "./support/run-agent.ts";

const adding = '[[tool:add {"a":2,"b":3}]]';
const { tool: add } = aTool();

/** A paused run as a person's answer finds it. */
const answeredState = (tools: readonly ToolExecution[], answer: Partial<ToolExecution>): RunState => ({
  messages: [],
  calls: 0,
  content: "",
  reasoning_content: "",
  usage: {
    input_tokens: 0,
    output_tokens: 0,
    reasoning_tokens: 0,
    cache_read_tokens: 0,
    cache_write_tokens: 0,
  },
  started_at_ms: 0,
  first_token_at_ms: null,
  tools: tools.map((call) => ({ ...call, ...answer })),
});

async function goOn(agent: ReturnType<typeof anAgent>, input: string, answer: Partial<ToolExecution>) {
  const paused = await runAgent(input, { agent });
  const { messages = [], tools = [], metrics } = paused.outcome.output;
  const before = answeredState(tools, answer);
  const usage = {
    ...before.usage,
    input_tokens: metrics?.input_tokens ?? 0,
    output_tokens: metrics?.output_tokens ?? 0,
  };
  const events: string[] = [];
  const outcome = await executeSlice(
    agent,
    aRequest(input),
    {
      models: scripted(),
      clock: tickingClock(),
      newId: () => "id",
      signal: new AbortController().signal,
      emit: ({ event }) => events.push(event),
    },
    { ...before, messages, usage },
  );
  return { paused, outcome, events };
}

describe("a run with a budget of its own", () => {
  const agent = anAgent({ tools: [add], max_tokens_per_run: 1000, max_output_tokens: 200 });

  test("goes on as long as the next call fits", async () => {
    const { outcome } = await runAgent(adding, { agent });
    expect(outcome.output).toMatchObject({ status: "COMPLETED", content: "5" });
  });

  test("pauses before the call that may not fit, and calls no model", async () => {
    const small = anAgent({ max_tokens_per_run: 100, max_output_tokens: 200 });
    const { outcome, order, events } = await runAgent("hello", { agent: small });
    expect(order).toEqual(["RunStarted", "RunContentCompleted", "RunPaused"]);
    const [asked] = outcome.output.requirements ?? [];
    expect(asked?.tool_execution).toMatchObject({
      tool_name: "budget",
      requires_confirmation: true,
      approval_type: "required",
      tool_args: { reason: "budget", limit: "max_tokens_per_run", allowed: 100, spent: 0 },
    });
    expect(outcome.output.content).toContain("max_tokens_per_run is 100");
    expect(events.at(-1)).toMatchObject({ event: "RunPaused", content: outcome.output.content });
  });

  test("asks between two steps, when the first has used up the room", async () => {
    const wordy = anAgent({ tools: [add], loop_limit: 0, max_tokens_per_run: 1600, max_output_tokens: 250 });
    const { outcome } = await runAgent(`${adding}${'[[tool:add {"a":1,"b":1}]]'.repeat(29)}`, {
      agent: wordy,
    });
    expect(outcome.status).toBe("PAUSED");
    const ran = outcome.output.tools?.filter(({ result }) => result !== null) ?? [];
    expect(ran.length).toBeGreaterThan(0);
    expect(outcome.output.metrics?.total_tokens).toBeLessThanOrEqual(1600);
  });

  const small = anAgent({ max_tokens_per_run: 100, max_output_tokens: 200 });

  test("goes on up to the raised limit once a person confirms, and keeps who raised it on record", async () => {
    const { outcome } = await goOn(small, "hello", { confirmed: true });
    expect(outcome).toMatchObject({
      status: "COMPLETED",
      output: { content: "You said: hello", tools: [{ tool_name: "budget", confirmed: true }] },
    });
  });

  test("ends when a person refuses, with the reason given", async () => {
    const { outcome, events } = await goOn(small, "hello", {
      confirmed: false,
      confirmation_note: "Too dear.",
    });
    expect(outcome).toMatchObject({ status: "ERROR", cause: "input", error: "Too dear." });
    expect(events.filter((event) => event.startsWith("ToolCall"))).toEqual([]);
  });

  test("asks again as long as there is no answer", async () => {
    const { outcome } = await goOn(small, "hello", {});
    expect(outcome).toMatchObject({ status: "PAUSED", output: { tools: [{ confirmed: null }] } });
  });
});

describe("a budget in dollars", () => {
  const models = createModels({
    MODEL: "scripted",
    MODEL_PRICES: { scripted: { input_per_million: 1000, output_per_million: 2000 } },
  });

  test("counts by the model's price, and shows what a run cost", async () => {
    const { outcome } = await runAgent("one two", { agent: anAgent({ max_cost_per_run: 100 }), models });
    // Two words in, four words out.
    expect(outcome.output.metrics?.cost).toBeCloseTo(0.01);
    expect(outcome.output.metrics?.details?.model?.[0]).toMatchObject({ cost: expect.any(Number) });
  });

  test("pauses the run that may cost more", async () => {
    const { outcome } = await runAgent("one", { agent: anAgent({ max_cost_per_run: 0.5 }), models });
    expect(outcome).toMatchObject({
      status: "PAUSED",
      output: { tools: [{ tool_args: { limit: "max_cost_per_run", allowed: 0.5 } }] },
    });
  });

  test("fails a run whose model has no price, before it spends anything", async () => {
    const { outcome, order } = await runAgent("one", { agent: anAgent({ max_cost_per_run: 1 }) });
    expect(outcome).toMatchObject({ status: "ERROR", cause: "internal" });
    expect(order).toEqual(["RunStarted", "RunError"]);
  });
});

describe("a daily budget", () => {
  /** Grants everything and keeps what it received. */
  function aBudget(limit: number) {
    const asked: { call: string; tokens: number }[] = [];
    const settled: number[] = [];
    const dailyBudget: DailyBudget = {
      reserve: async (call, atMost) => {
        asked.push({ call, tokens: atMost.tokens });
        if (atMost.tokens > limit) {
          return { granted: false, payer: "user", limits: { tokens: limit }, spent: { tokens: 0, cost: 0 } };
        }
        return { granted: true, settle: async ({ tokens }) => void settled.push(tokens) };
      },
    };
    return { dailyBudget, asked, settled };
  }

  test("is asked before each model call, and notified afterwards of what it used, never more than it held", async () => {
    const { dailyBudget, asked, settled } = aBudget(100_000);
    const { outcome } = await runAgent(adding, { agent: anAgent({ tools: [add] }), dailyBudget });
    expect(asked.map(({ call }) => call)).toEqual(["step-0", "step-1"]);
    expect(settled.reduce((a, b) => a + b)).toBe(outcome.output.metrics?.total_tokens);
    for (const [i, used] of settled.entries()) expect(used).toBeLessThanOrEqual(asked[i]?.tokens ?? 0);
  });

  test("is charged nothing for a call that its service refused", async () => {
    const { dailyBudget, settled } = aBudget(100_000);
    await runAgent("[[fail:busy]]", { dailyBudget });
    expect(settled).toEqual([0]);
  });

  test("that has no room pauses the run, and what a person raises it to counts for this run", async () => {
    const { dailyBudget } = aBudget(50);
    const { outcome } = await runAgent("hello", { dailyBudget });
    expect(outcome).toMatchObject({
      status: "PAUSED",
      output: { tools: [{ tool_args: { limit: "daily_tokens_per_user", allowed: 50 } }] },
    });
  });
});

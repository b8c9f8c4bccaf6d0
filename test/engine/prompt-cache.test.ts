import fc from "fast-check";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { executeSlice } from "../../shared/engine/loop/execute-slice.ts";
import { createModels, type ModelConfig } from "../../shared/engine/model/create-models.ts";
import { costOf, noUsage } from "../../shared/engine/model/usage.ts";
import type { EnginePorts } from "../../shared/engine/ports/engine-ports.ts";
import type { RunOutcome } from "../../shared/engine/run/run-outcome.ts";
import type { RunRequest } from "../../shared/engine/run/run-request.ts";
import type { RunState } from "../../shared/engine/run/run-state.ts";
import { defineTool } from "../../shared/engine/tool/tool.ts";
import { mostSpendingOf } from "../../shared/engine/turn/hold-budget.ts";
import type { Message } from "../../shared/schemas/runs/run.ts";
import { anthropicCache } from "../support/hostile-model/anthropic-cache.ts";
import type { Json } from "../support/hostile-model/protocol.ts";
import type { Turn } from "../support/hostile-model/turn.ts";
import { useBedrockCredentials, useHostileModel } from "../support/hostile-model/use-hostile-model.ts";
import { anAgent, aRequest, runAgent, tickingClock } from "./support/run-agent.ts";

useBedrockCredentials();
const hostile = useHostileModel();

const CLAUDE = "anthropic:claude-hostile";
const modelsOf = (MODEL: string, config: Partial<ModelConfig> = {}) =>
  createModels({ ...hostile().environment, ...config, MODEL });

const rules = `You look numbers up and answer with them. ${"Follow the rules of the house. ".repeat(150)}`;
const look = defineTool({
  name: "look",
  description: "Looks a number up.",
  parameters: v.object({ at: v.number() }),
  effect: "safe",
  execute: ({ at }) => `The number at ${at} is ${at * 7}. ${"It was found in the ledger. ".repeat(8)}`,
});
const reader = anAgent({ instructions: rules, tools: [look] });

let plans = 0;
const planName = () => `plan-kept${++plans}`;
const calls = (at: number, count: number) =>
  Array.from({ length: count }, (_, i) => ({
    id: `call-${at}-${i}`,
    name: "look",
    arguments: JSON.stringify({ at: at * 100 + i }),
  }));

/** A service with Anthropic's cache: so many calls of tools (`wide` at once), then an answer, in each run. */
function cachedLoop(name: string, toolCalls: number, wide = 1, cache = anthropicCache()) {
  const usages: { input: number; cacheRead: number; cacheWrite: number }[] = [];
  const bodies: Json[] = [];
  hostile().plan(name, ({ body }, at) => {
    const counted = cache.count(body);
    usages.push(counted);
    bodies.push(body);
    const turn: Turn = at % (toolCalls + 1) < toolCalls ? { calls: calls(at, wide) } : { text: ["Done."] };
    return { ...turn, usage: { ...counted, output: 9 } };
  });
  return { usages, bodies, share: (from = 0) => shareOf(usages.slice(from)) };
}

function shareOf(usages: readonly { input: number; cacheRead: number; cacheWrite: number }[]): number {
  const read = usages.reduce((sum, { cacheRead }) => sum + cacheRead, 0);
  return (
    read / usages.reduce((sum, { input, cacheRead, cacheWrite }) => sum + input + cacheRead + cacheWrite, 0)
  );
}

/** Executes a run in processes that each know nothing but its state, one for each of so many steps. */
async function inProcesses(
  request: RunRequest,
  stepsEach: number,
  { killed = false } = {},
): Promise<{ outcome: RunOutcome; processes: number }> {
  let ids = 0;
  let state: RunState | undefined;
  for (let processes = 1; ; processes += 1) {
    let steps = 0;
    let saved: RunState | undefined;
    const ended = await executeSlice(
      reader,
      request,
      {
        models: modelsOf(CLAUDE),
        clock: tickingClock(),
        newId: () => `id-${++ids}`,
        signal: new AbortController().signal,
        emit: () => undefined,
        shouldYield: () => !killed && ++steps >= stepsEach,
        saveCheckpoint: async (at) => {
          saved = structuredClone(at);
          if (killed && ++steps >= stepsEach) throw new Error("killed");
        },
      },
      state && structuredClone(state),
    ).catch((error: Error) => {
      if (error.message !== "killed") throw error;
    });
    if (ended && ended.status !== "YIELDED") return { outcome: ended, processes };
    state = ended ? ended.state : saved;
  }
}

type Marked = { cache_control?: unknown; text?: unknown };
const isMarked = ({ cache_control }: Marked): boolean => cache_control !== undefined;

/** Where a body for Anthropic is marked: `system`, `tools`, or the number of the block among those of the messages. */
function marksIn({ tools = [], system = [], messages = [] }: Record<string, unknown>): (string | number)[] {
  const blocks = (messages as { content: Marked[] }[]).flatMap(({ content }) => content);
  return [
    ...((tools as Marked[]).some(isMarked) ? ["tools"] : []),
    ...((system as Marked[]).some(isMarked) ? ["system"] : []),
    ...blocks.flatMap((block, at) => (isMarked(block) ? [at] : [])),
  ];
}

const said = (role: Message["role"], content: string, parts: Partial<Message> = {}): Message => ({
  id: `${role}-${content}`,
  role,
  content,
  from_history: false,
  stop_after_tool_call: false,
  created_at: 1,
  ...parts,
});

describe("marks for Anthropic", () => {
  test("are at the end of system, history, the last call's prompt and this one's", async () => {
    const name = planName();
    const { bodies } = cachedLoop(name, 3);
    await runAgent("", {
      agent: { ...reader, add_history_to_context: true },
      request: aRequest(name, { history: [said("user", "Before?"), said("assistant", "Then.")] }),
      models: modelsOf(CLAUDE),
    });
    expect(bodies.map(marksIn)).toEqual([
      ["system", 1, 2],
      ["system", 1, 2, 4],
      ["system", 1, 4, 6],
      ["system", 1, 6, 8],
    ]);
  });

  test("begin at the last tool where there is no system message", async () => {
    const name = planName();
    const { bodies } = cachedLoop(name, 1);
    await runAgent(name, { agent: anAgent({ tools: [look] }), models: modelsOf(CLAUDE) });
    expect(bodies.map(marksIn)).toEqual([
      ["tools", 0],
      ["tools", 0, 2],
    ]);
  });

  test("are left out where the agent or the instance says so, and carry an hour where they say that", async () => {
    const marksOf = async (
      prompt_cache: boolean | { ttl: "1h" } | undefined,
      PROMPT_CACHE?: "on" | "off" | "1h",
    ) => {
      const name = planName();
      const { bodies } = cachedLoop(name, 1);
      const agent = prompt_cache === undefined ? reader : { ...reader, prompt_cache };
      await runAgent(name, { agent, models: modelsOf(CLAUDE, { PROMPT_CACHE }) });
      const text = JSON.stringify(bodies);
      return [text.split("cache_control").length - 1, text.split('"ttl":"1h"').length - 1];
    };
    expect(await marksOf(undefined)).toEqual([5, 0]);
    expect(await marksOf(false)).toEqual([0, 0]);
    expect(await marksOf({ ttl: "1h" })).toEqual([5, 5]);
    expect(await marksOf(undefined, "off")).toEqual([0, 0]);
    expect(await marksOf(undefined, "1h")).toEqual([5, 5]);
  });

  test("that a service refuses are left out: of this call, and of the next run", async () => {
    const name = planName();
    const { requests } = hostile().plan(name, ({ body }) =>
      JSON.stringify(body).includes("cache_control")
        ? {
            fails: {
              kind: "status",
              status: 400,
              message: "system.0.cache_control: Extra inputs are not permitted",
            },
          }
        : { text: ["Done."] },
    );
    const models = modelsOf(CLAUDE);
    const clock = tickingClock();
    const first = await runAgent(name, { agent: reader, models, clock });
    const second = await runAgent(name, { agent: reader, models, clock });
    expect([first.outcome.status, second.outcome.status]).toEqual(["COMPLETED", "COMPLETED"]);
    expect(requests.map(({ body }) => marksIn(body).length)).toEqual([2, 0, 0]);
  });
});

test("what differs from run to run is in the context of its message: the system text has the same bytes", async () => {
  const sent = async (nowMs: number, mood: string, memory: string) => {
    const name = planName();
    const { bodies } = cachedLoop(name, 0);
    const { outcome } = await runAgent("", {
      agent: {
        ...reader,
        add_datetime_to_context: true,
        add_session_state_to_context: true,
        add_memories_to_context: true,
      },
      request: aRequest(name, { session_state: { mood } }),
      models: modelsOf(CLAUDE),
      clock: { now: () => nowMs, sleep: async () => undefined },
      memories: { list: async () => [{ memory_id: "m", memory }] } as unknown as NonNullable<
        EnginePorts["memories"]
      >,
    });
    expect(outcome.status).toBe("COMPLETED");
    const texts = JSON.stringify(bodies[0]?.messages);
    expect(texts).toContain(mood);
    expect(texts).toContain(memory);
    return { system: JSON.stringify(bodies[0]?.system), context: texts.slice(texts.indexOf("<context>")) };
  };
  const one = await sent(1_790_000_000_000, "calm", "Likes sevens.");
  const other = await sent(1_795_000_000_000, "cross", "Likes eights.");
  expect(other.system).toBe(one.system);
  expect(one.system).not.toContain("sevens");
  expect(other.context).not.toBe(one.context);
});

test("the context of an earlier run is shown as it was sent, and left out where it is long", async () => {
  const sent = async (context: string) => {
    const name = planName();
    const { bodies } = cachedLoop(name, 0);
    await runAgent("", {
      agent: { ...reader, add_history_to_context: true },
      request: aRequest(name, {
        history: [said("user", "Before?", { context }), said("assistant", "Then.")],
      }),
      models: modelsOf(CLAUDE),
    });
    return JSON.stringify(bodies[0]?.messages);
  };
  expect(await sent("<context>\nIt is May.\n</context>")).toContain(
    '{"type":"text","text":"<context>\\nIt is May.',
  );
  expect(await sent(`<context>\n${"x".repeat(4_096)}</context>`)).not.toContain("<context>");
});

describe("other services", () => {
  const sent = async (model: string, config: Partial<ModelConfig> = {}, parts: Partial<RunRequest> = {}) => {
    const name = planName();
    const { requests } = hostile().plan(name, [{ text: ["Done."] }]);
    const { outcome } = await runAgent("", {
      agent: reader,
      request: aRequest(name, parts),
      models: modelsOf(model, config),
    });
    expect(outcome.status).toBe("COMPLETED");
    return requests[0]?.body ?? {};
  };

  test.each([
    ["amazon-bedrock:amazon.nova-hostile-v1:0", 2],
    ["amazon-bedrock:eu.anthropic.claude-hostile-v1:0", 2],
    ["amazon-bedrock:meta.llama-hostile-v1:0", 0],
  ])("of Bedrock: %s gets %i cache points, and none in its tools", async (model, points) => {
    const { system, messages, toolConfig } = await sent(model);
    expect(JSON.stringify([system, messages]).split("cachePoint").length - 1).toBe(points);
    expect(JSON.stringify(toolConfig)).not.toContain("cachePoint");
  });

  test("OpenAI is given one key for a session, without the user", async () => {
    const keyOf = async (session_id: string, user_id: string, OS_ID = "os") =>
      (await sent("openai:gpt-hostile", { OS_ID }, { session_id, user_id })).prompt_cache_key;
    const key = await keyOf("s1", "ann");
    expect(key).toMatch(/^ap:[0-9a-f]{32}$/);
    expect(await keyOf("s1", "ben")).toBe(key);
    expect(await keyOf("s2", "ann")).not.toBe(key);
    expect(await keyOf("s1", "ann", "other")).not.toBe(key);
  });

  test("a compatible server is sent nothing, a key or marks, as configured", async () => {
    const bodyWith = (promptCache?: "none" | "key" | "marks") =>
      sent("openai-compatible:hostile", {
        MODEL_PROVIDERS: {
          "openai-compatible": { baseUrl: `${hostile().url}/v1`, ...(promptCache && { promptCache }) },
        },
      });
    expect(JSON.stringify([await bodyWith(), await bodyWith("none")])).not.toMatch(/cache/);
    const keyed = await bodyWith("key");
    expect(keyed.prompt_cache_key).toMatch(/^ap:/);
    expect(JSON.stringify(keyed)).not.toContain("cache_control");
    const { messages } = await bodyWith("marks");
    expect(messages).toMatchObject([
      { role: "system", cache_control: { type: "ephemeral" } },
      { role: "user", cache_control: { type: "ephemeral" } },
    ]);
  });
});

describe("what is read from the cache", () => {
  test("is over 80 % of the input of ten calls, whose bytes before the third mark stay", async () => {
    const name = planName();
    const { share, bodies, usages } = cachedLoop(name, 9);
    const { outcome } = await runAgent(name, { agent: reader, models: modelsOf(CLAUDE) });
    expect(usages).toHaveLength(10);
    expect(share()).toBeGreaterThan(0.8);
    expect(outcome.output.metrics?.cache_read_tokens).toBe(
      usages.reduce((sum, one) => sum + one.cacheRead, 0),
    );
    const plain = bodies.map((body) =>
      JSON.stringify((body.messages as unknown[]).map(withoutMarks)).slice(0, -1),
    );
    for (const [at, body] of plain.slice(1).entries()) expect(body.startsWith(plain[at] ?? "?")).toBe(true);
  });

  test.each([1, 4])("is the same in processes that take %i steps each", async (steps) => {
    const name = planName();
    const { share } = cachedLoop(name, 9);
    const { outcome, processes } = await inProcesses(aRequest(name), steps);
    expect(outcome.status).toBe("COMPLETED");
    expect(processes).toBeGreaterThan(3);
    expect(share()).toBeGreaterThan(0.8);
  });

  test("is the same where the process is killed after every step", async () => {
    const name = planName();
    const { share } = cachedLoop(name, 9);
    const { outcome, processes } = await inProcesses(aRequest(name), 1, { killed: true });
    expect(outcome.status).toBe("COMPLETED");
    expect(processes).toBeGreaterThan(10);
    expect(share()).toBeGreaterThan(0.8);
  });

  test("is all before, after a batch of 15 calls", async () => {
    const name = planName();
    const { usages } = cachedLoop(name, 1, 15);
    await runAgent(name, { agent: reader, models: modelsOf(CLAUDE) });
    const [first, second] = usages;
    expect(second?.cacheRead).toBe((first?.cacheRead ?? 0) + (first?.cacheWrite ?? 0));
    expect(first?.input).toBe(0);
  });

  test("is over 60 % of the input of six runs of a session", async () => {
    const name = planName();
    const { share, usages } = cachedLoop(name, 1);
    const agent = { ...reader, add_history_to_context: true, add_datetime_to_context: true };
    const history: Message[] = [];
    let ids = 0;
    for (let run = 1; run <= 6; run += 1) {
      const request = aRequest(`${name} ${run}`, { run_id: `run-${run}`, history: [...history] });
      const { outcome } = await runAgent("", {
        agent,
        request,
        models: modelsOf(CLAUDE),
        newId: () => `id-${++ids}`,
      });
      const messages = outcome.output.messages ?? [];
      history.push(...messages.filter(({ role, from_history }) => role !== "system" && !from_history));
    }
    expect(usages).toHaveLength(12);
    expect(share()).toBeGreaterThan(0.6);
  });
});

const withoutMarks = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (name, member) => (name === "cache_control" ? undefined : member)));

describe("what breaks the cache", () => {
  type Cache = { hit_rate: number; breaks: unknown[]; last?: unknown; derived?: boolean };
  const cacheOf = (outcome: RunOutcome): Cache | undefined =>
    outcome.output.metrics?.additional_metrics?.cache as Cache | undefined;
  /** A run after another of the same session, both with one tool call. */
  async function secondRun(change: {
    readonly agent?: typeof reader;
    readonly laterMs?: number;
    readonly forget?: boolean;
    readonly model?: string;
  }) {
    const name = planName();
    cachedLoop(name, 1);
    const agent = { ...reader, add_history_to_context: true };
    let nowMs = 1_790_000_000_000;
    const clock = { now: () => nowMs, sleep: async () => undefined };
    const first = await runAgent(name, { agent, models: modelsOf(CLAUDE), clock });
    const { messages = [], metrics } = first.outcome.output;
    nowMs += change.laterMs ?? 1;
    const { outcome } = await runAgent("", {
      agent: { ...agent, ...change.agent },
      request: aRequest(name, {
        history: change.forget ? [] : messages.filter(({ role }) => role !== "system"),
        prompt: metrics?.additional_metrics?.cache?.last as NonNullable<RunRequest["prompt"]>,
      }),
      models: modelsOf(change.model ?? CLAUDE),
      clock,
      newId: (() => {
        let ids = 0;
        return () => `second-${++ids}`;
      })(),
    });
    return cacheOf(outcome);
  }
  const firstCall = (part: string) => [{ call: 0, part }];

  test("is nothing where a session goes on as it began", async () => {
    const cache = await secondRun({});
    expect(cache?.breaks).toEqual([]);
    expect(cache?.hit_rate).toBeGreaterThan(0.8);
  });

  test("is named by the part of the prompt that has changed", async () => {
    const other = { ...reader, instructions: `${rules} And be kind.` };
    expect((await secondRun({ agent: other }))?.breaks).toEqual(firstCall("system"));
    const more = { ...reader, tools: [look, { ...look, name: "peek" }] };
    expect((await secondRun({ agent: more }))?.breaks).toEqual(firstCall("tools"));
    expect((await secondRun({ forget: true }))?.breaks).toEqual(firstCall("history"));
    expect((await secondRun({ model: "anthropic:claude-other" }))?.breaks).toEqual(firstCall("model"));
  });

  test("is the choice of a tool in the first call of a run", async () => {
    const name = planName();
    cachedLoop(name, 1);
    const { outcome } = await runAgent(name, {
      agent: { ...reader, tool_choice: "required" },
      models: modelsOf(CLAUDE),
    });
    expect(cacheOf(outcome)?.breaks).toEqual([{ call: 1, part: "tool_choice" }]);
  });

  test("is time where nothing was read after it", async () => {
    const name = planName();
    let nowMs = 1_790_000_000_000;
    cachedLoop(name, 2, 1, anthropicCache({ now: () => nowMs }));
    const slow = {
      ...look,
      execute: () => {
        nowMs += 301_000;
      },
    };
    const { outcome } = await runAgent(name, {
      agent: { ...reader, tools: [slow] },
      models: modelsOf(CLAUDE),
      clock: { now: () => nowMs, sleep: async () => undefined },
    });
    expect(cacheOf(outcome)?.breaks).toEqual([
      { call: 1, part: "expired" },
      { call: 2, part: "expired" },
    ]);
  });
});

describe("what the cache costs", () => {
  const price = { input_per_million: 3, output_per_million: 15 };
  const prices = { [CLAUDE]: price };

  test("is counted by the list where it has no price of its own, and says so", async () => {
    const name = planName();
    const { usages } = cachedLoop(name, 3);
    const { outcome } = await runAgent(name, {
      agent: reader,
      models: modelsOf(CLAUDE, { MODEL_PRICES: prices }),
    });
    const sum = usages.reduce(
      (dollars, { input, cacheRead, cacheWrite }) =>
        dollars + (input * 3 + cacheRead * 0.3 + cacheWrite * 3.75 + 9 * 15) / 1_000_000,
      0,
    );
    expect(outcome.output.metrics?.cost).toBeCloseTo(sum, 10);
    expect(outcome.output.metrics?.additional_metrics?.cache).toMatchObject({ derived: true });
  });

  test.each([
    ["the component's own", { ttl: "1h" } as const, undefined],
    ["the instance's", undefined, "1h"],
  ] as const)("is twice the input for what lives an hour: %s", async (_, prompt_cache, PROMPT_CACHE) => {
    const name = planName();
    const { usages } = cachedLoop(name, 2);
    const { outcome } = await runAgent(name, {
      agent: { ...reader, ...(prompt_cache && { prompt_cache }) },
      models: modelsOf(CLAUDE, { MODEL_PRICES: prices, ...(PROMPT_CACHE && { PROMPT_CACHE }) }),
    });
    const sum = usages.reduce(
      (dollars, { input, cacheRead, cacheWrite }) =>
        dollars + (input * 3 + cacheRead * 0.3 + cacheWrite * 6 + 9 * 15) / 1_000_000,
      0,
    );
    expect(outcome.output.metrics?.cost).toBeCloseTo(sum, 10);
  });

  const share = { min: 0, max: 1, noNaN: true };

  test("is never more than is held, whatever of the input is written or read", () => {
    const models = modelsOf(CLAUDE, { MODEL_PRICES: prices });
    for (const model of [CLAUDE, "openai:gpt"]) {
      const { price: known = price } = models.describe(model);
      const usage = fc.tuple(fc.nat(100_000), fc.nat(9_000), fc.double(share), fc.double(share));
      const property = fc.property(usage, ([input_tokens, output_tokens, read, written]) => {
        const cache_read_tokens = Math.floor(input_tokens * read);
        const cache_write_tokens = Math.floor((input_tokens - cache_read_tokens) * written);
        const bound = { ...noUsage, input_tokens, output_tokens };
        const used = { ...bound, cache_read_tokens, cache_write_tokens };
        expect(mostSpendingOf(bound, known).cost).toBeGreaterThanOrEqual(costOf(used, known) ?? 0);
      });
      fc.assert(property, { numRuns: 1_000 });
    }
  });
});

describe("calls after the answer", () => {
  const remembering = {
    ...reader,
    update_memory_on_run: true,
    enable_session_summaries: true,
    followups: true,
    num_followups: 2,
  };
  const isTask = (body: Json, text: string): boolean => JSON.stringify(body.messages).includes(text);

  /** Tokens of what stands before the task. */
  function conversationOf(body: Json): number {
    const messages = (body.messages as Json[]).slice(0, -1);
    const { input, cacheRead, cacheWrite } = anthropicCache().count({ ...body, messages });
    return input + cacheRead + cacheWrite;
  }

  async function runWith(answers: (body: Json) => Turn | undefined) {
    const name = planName();
    const cache = anthropicCache();
    const after: { cacheRead: number; conversation: number }[] = [];
    const alone: Json[] = [];
    let calls = 0;
    hostile().plan(name, ({ body }) => {
      const counted = cache.count(body);
      const usage = { ...counted, output: 5 };
      calls += 1;
      if (calls === 1) return { calls: [{ id: "c", name: "look", arguments: '{"at":1}' }], usage };
      if (calls === 2) return { text: ["Seven."], usage };
      if (JSON.stringify(body.system).includes("Follow the rules"))
        after.push({ ...counted, conversation: conversationOf(body) });
      else alone.push(body);
      return { ...(answers(body) ?? { text: ["As it is."] }), usage };
    });
    const saved: string[] = [];
    const memories = {
      list: async () => [],
      add: async (_: string, { memory }: { memory: string }) => {
        saved.push(memory);
        return { memory_id: "m", memory };
      },
    } as unknown as NonNullable<EnginePorts["memories"]>;
    const { outcome } = await runAgent(`${name} ${"Read all of it. ".repeat(20)}`, {
      agent: remembering,
      models: modelsOf(CLAUDE),
      memories,
    });
    return { outcome, after, alone, saved };
  }

  test("stand behind the cached conversation, of which they read 90 %", async () => {
    const { outcome, after, alone, saved } = await runWith((body) => {
      if (isTask(body, "Write 2 short questions")) return { text: ['{"text": "Why?\\nHow?"}'] };
      if (isTask(body, "Sum the conversation up")) return { text: ['```json\n{"text": "A sum."}\n```'] };
      return { text: ['{"calls": [{"name": "add_memory", "arguments": {"memory": "Likes sevens."}}]}'] };
    });
    expect(outcome).toMatchObject({
      status: "COMPLETED",
      output: { content: "Seven.", followups: ["Why?", "How?"] },
      session_summary: { summary: "A sum." },
    });
    expect(saved).toEqual(["Likes sevens."]);
    expect(alone).toEqual([]);
    expect(after).toHaveLength(3);
    for (const { cacheRead, conversation } of after) expect(cacheRead / conversation).toBeGreaterThan(0.9);
    // The first of them has cached the answer, which was in no prompt before.
    for (const { cacheRead, conversation } of after.slice(1)) expect(cacheRead).toBe(conversation);
  });

  test("of a helper begin with what was said, which all after the first read", async () => {
    const name = planName();
    const cache = anthropicCache({ minimum: 512 });
    const asked: { body: Json; input: number; cacheRead: number; cacheWrite: number }[] = [];
    hostile().plan(name, ({ body }) => {
      const counted = cache.count(body);
      if (JSON.stringify(body.system).includes("You help an agent")) asked.push({ body, ...counted });
      return { text: ["Well. ".repeat(400)], usage: { ...counted, output: 5 } };
    });
    const { outcome } = await runAgent(`${name} ${"Read all of it. ".repeat(200)}`, {
      agent: anAgent({
        ...remembering,
        tools: [],
        update_memory_on_run: false,
        helper_model: "anthropic:claude-helper",
      }),
      models: modelsOf(CLAUDE),
    });
    expect(outcome).toMatchObject({ status: "COMPLETED", session_summary: { summary: expect.any(String) } });
    const [first, second] = asked;
    expect(asked).toHaveLength(2);
    const openingOf = (body: Json = {}) => JSON.stringify(body.messages).slice(0, 3_000);
    expect(openingOf(first?.body)).toBe(openingOf(second?.body));
    expect(first?.cacheRead).toBe(0);
    expect(second?.cacheRead).toBe(first?.cacheWrite);
    expect(second?.cacheRead).toBeGreaterThan(10 * (second?.input ?? 0));
  });

  test("are made alone where the answer has another form, or calls a tool", async () => {
    const { outcome, after, alone } = await runWith((body) =>
      JSON.stringify(body.system).includes("Follow the rules") && isTask(body, "Sum the conversation up")
        ? { calls: [{ id: "x", name: "look", arguments: '{"at":2}' }] }
        : undefined,
    );
    expect(outcome).toMatchObject({ status: "COMPLETED", session_summary: { summary: "As it is." } });
    expect(after).toHaveLength(3);
    expect(alone).toHaveLength(3);
  });
});

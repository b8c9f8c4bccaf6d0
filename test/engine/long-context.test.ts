import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { executeSlice } from "../../shared/engine/loop/execute-slice.ts";
import { faultClass } from "../../shared/engine/model/fault-class.ts";
import { modelFault } from "../../shared/engine/model/model-fault.ts";
import type { Models } from "../../shared/engine/model/models.ts";
import { messageText } from "../../shared/engine/model/parse-script.ts";
import { windowIn, windowOf } from "../../shared/engine/model/windows.ts";
import type { DailyBudget } from "../../shared/engine/ports/budget-port.ts";
import type { RunState } from "../../shared/engine/run/run-state.ts";
import { stateFromRun } from "../../shared/engine/run/state-from-run.ts";
import { defineTool, resultWithMedia } from "../../shared/engine/tool/tool.ts";
import type { Message } from "../../shared/schemas/runs/run.ts";
import { storedResultsOf } from "../../shared/stores/runs/stored-results.ts";
import { objectsInMemory } from "../support/objects-in-memory.ts";
import {
  anAgent,
  aRequest,
  eventsOf,
  type How,
  runAgent,
  tickingClock,
  withPorts,
} from "./support/run-agent.ts";
import {
  agentWith,
  finish,
  known,
  lookingUp,
  lookUp,
  refusal,
  SESSION,
  strictModel,
  WINDOW,
  withStore,
} from "./support/strict-model.ts";
import { watchedModel } from "./support/watched-model.ts";

/** Ids of calls and of results in a prompt, in their order. */
const idsIn = (prompt: LanguageModelV4Prompt, role: "assistant" | "tool", type: string): string[] =>
  prompt.flatMap((message) =>
    message.role === role
      ? message.content.flatMap((part) =>
          part.type === type && "toolCallId" in part ? [part.toolCallId] : [],
        )
      : [],
  );

describe("a run that is longer than its model's window", () => {
  test("goes on without a refusal, its messages stored whole, and finds by a search what left its prompt", async () => {
    const { models, prompts, refused } = strictModel((step, prompt) => {
      if (step < 60) return ["look_up", { page: step }];
      const id = /find everything in (res_[0-9a-f]{10})/.exec(JSON.stringify(prompt))?.[1];
      return step < 63 ? ["search_result", { result_id: id, pattern: `fact ${step - 59} is` }] : undefined;
    });
    const run = await runAgent(
      "look everything up",
      withStore({ agent: agentWith(1_000), models: known(models, WINDOW) }),
    );
    expect(refused).toEqual([]);
    const { output } = run.outcome;
    expect(output).toMatchObject({ status: "COMPLETED", content: "Done." });
    const messages = (output.messages ?? []) as Message[];
    expect(messages.filter(({ role }) => role === "tool")).toHaveLength(63);
    for (let page = 0; page < 60; page += 1) {
      expect(messages[2 + 2 * page]?.content).toMatch(`fact ${page} is ${page * 7919}. All is well.`);
    }
    for (const [at, result] of messages
      .filter(({ role }) => role === "tool")
      .slice(60)
      .entries()) {
      expect(result.content).toContain(`fact ${at + 1} is ${(at + 1) * 7919}.`);
    }
    for (const prompt of prompts) {
      expect(messageText(prompt[0])).toBe("look everything up");
      expect(idsIn(prompt, "assistant", "tool-call")).toEqual(idsIn(prompt, "tool", "tool-result"));
    }
    const folds = eventsOf(run, "CompactionCompleted");
    expect(folds.length).toBeGreaterThan(1);
    expect(folds.length).toBeLessThan(60 / 8);
    for (const { tokens_before, tokens_after, archived } of folds) {
      expect(tokens_after).toBeLessThan(tokens_before * 0.75);
      expect(archived).toBe(true);
    }
    expect(output.metrics?.additional_metrics?.context?.folds).toHaveLength(folds.length);
  });

  test("can search all that has left its prompt, by words, from the first fold on", async () => {
    const { models, prompts, offered, refused } = strictModel((step) => {
      if (step < 40) return ["look_up", { page: step }];
      if (step === 40)
        return ["search_compacted_history", { pattern: "fact 3 is|FACT 17 IS", context_lines: 0 }];
      if (step === 41) return ["search_compacted_history", { pattern: "fact" }];
      return step === 42 ? ["search_compacted_history", { pattern: "(no such|words)" }] : undefined;
    });
    const run = await runAgent(
      "look everything up",
      withStore({ agent: agentWith(1_000), models: known(models, WINDOW) }),
    );
    expect(refused).toEqual([]);
    const results = (run.outcome.output.messages ?? []).filter(({ role }) => role === "tool").slice(40);
    const [both = "", many = "", none] = results.map(({ content }) => content);
    expect(both).toMatch(/^In res_[0-9a-f]{10}:/);
    expect(both).toContain(`fact 3 is ${3 * 7919}.`);
    expect(both).toContain(`fact 17 is ${17 * 7919}.`);
    expect(both).not.toContain("fact 4 is");
    expect(many.match(/^\d+: /gm)?.length).toBeLessThanOrEqual(20);
    expect(many.length).toBeLessThan(8_200);
    expect(none).toBe("No line matches.");
    const hasFold = prompts.map((prompt) =>
      JSON.stringify(prompt).includes("[The beginning of this conversation"),
    );
    expect(hasFold.indexOf(true)).toBeGreaterThan(3);
    expect(offered.map((names) => names.includes("search_compacted_history"))).toEqual(hasFold);
  });

  test("is shown older results by their heads first, at once and not at each step", async () => {
    const { models, prompts, refused } = strictModel(lookingUp(12));
    const run = await runAgent("go", withStore({ agent: agentWith(1_900), models: known(models, WINDOW) }));
    expect(refused).toEqual([]);
    const [clearing, ...more] = eventsOf(run, "CompressionCompleted");
    expect(more.length).toBeLessThan(2);
    expect(clearing?.tool_results_compressed).toBeGreaterThan(1);
    expect(eventsOf(run, "CompressionStarted")).toHaveLength(1 + more.length);
    const last = prompts.at(-1) ?? [];
    expect(JSON.stringify(last)).toMatch(/<result id=\\"res_[0-9a-f]{10}\\" tool=\\"look_up\\"/);
    expect(run.outcome.output.messages?.filter(({ role }) => role === "tool")[0]?.content).toContain(
      "fact 0",
    );
  });

  test("is not shown older results by their heads where that frees less than a fifth of its window", async () => {
    const { models, refused } = strictModel(lookingUp(60));
    const run = await runAgent("go", withStore({ agent: agentWith(300), models: known(models, WINDOW) }));
    expect(refused).toEqual([]);
    expect(eventsOf(run, "CompressionStarted")).toEqual([]);
    expect(eventsOf(run, "CompactionCompleted").length).toBeGreaterThan(0);
  });

  test("is shown the pictures of its last three answers, and of older ones that there were some", async () => {
    const picture = Buffer.from("89504e470d0a1a0a", "hex");
    const drawing = defineTool({
      name: "draw",
      description: "Draw a page.",
      parameters: v.object({}),
      effect: "safe",
      execute: () => resultWithMedia("Drawn.", [{ mime_type: "image/png", bytes: picture }]),
    });
    const shown: number[] = [];
    let step = 0;
    const { models, prompts } = watchedModel((prompt) => {
      const pictures = JSON.stringify(prompt).split('"type":"file"').length - 1;
      shown.push(pictures);
      step += 1;
      const usage = { inputTokens: { total: pictures * 1_600 + 500 }, outputTokens: { total: 20 } } as never;
      if (step > 30)
        return [
          { type: "text-start", id: "t" },
          { type: "text-delta", id: "t", delta: "Done." },
          { type: "text-end", id: "t" },
          { type: "finish", usage, finishReason: { unified: "stop", raw: "stop" } },
        ];
      return [
        { type: "tool-call", toolCallId: `c${step}`, toolName: "draw", input: "{}" },
        { type: "finish", usage, finishReason: { unified: "tool-calls", raw: "tool-calls" } },
      ];
    });
    const agent = anAgent({ tools: [drawing], max_steps: 1_000, loop_limit: 0 });
    const ports = {
      saveObject: async () => ({ key: "k/picture", sha256: "picture", bytes: picture.length }),
      loadObject: async () => picture,
    };
    const run = await runAgent("go", withStore({ agent, models: known(models, 20_000), ...ports }));
    expect(run.outcome.output.status).toBe("COMPLETED");
    expect(Math.max(...shown)).toBeLessThan(9);
    expect(shown.filter((count, at) => count < (shown[at - 1] ?? 0))).toContain(3);
    expect(JSON.stringify(prompts.at(-1))).toContain("Its files, 1, are not shown any more.");
    const drawn = run.outcome.output.messages?.filter(({ images = [] }) => images.length > 0);
    expect(drawn).toHaveLength(30);
  });

  test("goes on after a refusal, once, where the window was not known", async () => {
    const { models, refused } = strictModel(lookingUp(40));
    const run = await runAgent(
      "go",
      withStore({ agent: agentWith(1_000), models: known(models, undefined) }),
    );
    expect(refused).toHaveLength(1);
    expect(run.outcome.output.status).toBe("COMPLETED");
    expect(run.outcome.output.metrics?.additional_metrics?.context?.learned).toEqual({ "": WINDOW });
    expect(eventsOf(run, "CompactionCompleted").length).toBeGreaterThan(0);
  });

  test("goes on without its history where that is too long", async () => {
    const { models, refused } = strictModel(() => undefined);
    const history = Array.from(
      { length: 30 },
      (_, at): Message => ({
        id: `h${at}`,
        role: at % 2 === 0 ? "user" : "assistant",
        content: `${at}: ${"I see. ".repeat(200)}`,
        from_history: true,
        stop_after_tool_call: false,
        created_at: 1,
      }),
    );
    const request = aRequest("and now?", { history });
    const agent = anAgent({ add_history_to_context: true });
    const run = await runAgent("and now?", { agent, request, models: known(models, undefined) });
    expect(refused).toHaveLength(1);
    expect(run.outcome.output).toMatchObject({ status: "COMPLETED", content: "Done." });
  });

  test("fails with an id of its own where its input alone is too long", async () => {
    const { models, refused } = strictModel(() => undefined);
    const run = await runAgent("word ".repeat(20_000), { models: known(models, undefined) });
    expect(run.outcome.output.status).toBe("ERROR");
    expect(eventsOf(run, "RunError")).toMatchObject([{ error_id: "context_window_exceeded_error" }]);
    expect(refused).toHaveLength(1);
  });

  test.each([
    ["system message", { instructions: "word ".repeat(20_000) }],
    ["tools", { tools: [{ ...lookUp(10), description: "word ".repeat(20_000) }] }],
  ])("is not called where its %s alone is too long for a window that is known", async (_what, parts) => {
    const { models, prompts } = strictModel(() => undefined);
    const run = await runAgent("hello", { agent: anAgent(parts), models: known(models, WINDOW) });
    expect(run.outcome).toMatchObject({ status: "ERROR", cause: "input" });
    expect(eventsOf(run, "RunError")).toMatchObject([{ error_id: "context_window_exceeded_error" }]);
    expect(prompts).toEqual([]);
  });

  test("is replaced by a model with a larger window where one is named for that", async () => {
    const { models, prompts } = strictModel(() => undefined, 1_000_000);
    const windowOf = (spec?: string) => (spec === "scripted:large" ? undefined : { tokens: WINDOW });
    const fallback_config = { on_context_overflow: ["scripted:large"] };
    const agent = anAgent({ instructions: "word ".repeat(20_000), fallback_config });
    const resolve = () => models.resolve();
    const run = await runAgent("hello", { agent, models: { ...models, windowOf, resolve } });
    expect(run.outcome.output).toMatchObject({ status: "COMPLETED", content: "Done." });
    expect(prompts).toHaveLength(1);
  });

  test("keeps its input, what people say meanwhile, and a call that waits for a person, which is made as it was confirmed", async () => {
    const seen: unknown[] = [];
    const pay = defineTool({
      name: "pay",
      description: "Pay.",
      parameters: v.object({ amount: v.number() }),
      effect: "once",
      requires_confirmation: true,
      execute: async (args) => {
        seen.push(args);
        return `Paid. ${"All is well. ".repeat(40)}`;
      },
    });
    const { models, prompts, refused } = strictModel((step) => {
      if (step < 30 && step !== 14) return ["look_up", { page: step }] as const;
      return step === 14 ? (["pay", { amount: 12.5 }] as const) : undefined;
    });
    const agent = { ...agentWith(1_000), tools: [lookUp(1_000), pay], offload_tool_results: false };
    const unread = [{ message_id: "more", content: "and greet Ann", media: {} }];
    const inbox = {
      take: async () => (prompts.length === 3 ? unread.splice(0) : []),
      refuse: async () => {},
    };
    let ids = 0;
    const newId = () => `message-${++ids}`;
    const how = withStore({ agent, inbox, newId, models: known(models, WINDOW) });
    const first = await runAgent("go to page 29", how);
    expect(first.outcome.status).toBe("PAUSED");
    const { output } = first.outcome;
    const tools = (output.tools ?? []).map((tool) => ({
      ...tool,
      ...(tool.tool_name === "pay" && { confirmed: true }),
    }));
    const from = stateFromRun(output, tools, 1_790_000_000_000);
    const last = await withPorts(how, async (ports) => {
      const outcome = await executeSlice(
        agent,
        aRequest("go to page 29"),
        { ...ports, continues: true },
        from,
      );
      if (outcome.status === "YIELDED") throw new Error("the run yielded without a request");
      return outcome;
    });
    expect(last.outcome.status).toBe("COMPLETED");
    expect(seen).toEqual([{ amount: 12.5 }]);
    expect(refused).toEqual([]);
    const folds = last.outcome.output.metrics?.additional_metrics?.context?.folds ?? [];
    expect(folds.length).toBeGreaterThan(1);
    const shown = prompts.at(-1)?.map(messageText) ?? [];
    expect(shown).toContain("go to page 29");
    expect(shown).toContain("and greet Ann");
    for (const prompt of prompts)
      expect(idsIn(prompt, "tool", "tool-result")).toEqual(idsIn(prompt, "assistant", "tool-call"));
  });

  test("is shown the helper's summary, which takes in the one before; the list where there is none that can be used", async () => {
    const materials: string[] = [];
    const helper = (says: string | undefined) =>
      watchedModel((prompt) => {
        materials.push(messageText(prompt.at(-1)));
        if (says === undefined) throw refusal("out of order");
        return [
          { type: "text-start", id: "t" },
          { type: "text-delta", id: "t", delta: says && `${says} ${materials.length}` },
          { type: "text-end", id: "t" },
          finish(prompt, "stop"),
        ];
      });
    const runWith = async (says: string | undefined, ports: How = {}) => {
      const own = strictModel(lookingUp(40));
      const models = {
        ...known(own.models, WINDOW),
        resolve: (spec?: string) =>
          spec === "scripted:helper" ? helper(says).models.resolve() : own.models.resolve(),
      };
      const agent = { ...agentWith(1_000), helper_model: "scripted:helper" };
      const run = await runAgent("go", withStore({ agent, models, ...ports }));
      expect(run.outcome.output.status).toBe("COMPLETED");
      expect(own.refused).toEqual([]);
      return { run, last: JSON.stringify(own.prompts.at(-1)) };
    };
    const { run, last } = await runWith("All pages are well, says summary");
    const folds = eventsOf(run, "CompactionCompleted").length;
    expect(folds).toBeGreaterThan(1);
    expect(last).toContain(`All pages are well, says summary ${materials.length}`);
    expect(last).not.toContain("- look_up(");
    expect(materials[0]).toContain("fact 0 is 0.");
    expect(materials.at(-1)).toContain(`says summary ${materials.length - 1}`);
    expect(materials.at(-1)).not.toContain("fact 0 is 0.");
    const { metrics, compaction } = run.outcome.output;
    expect(compaction).toMatchObject({
      run_id: "run-1",
      summary: expect.stringContaining(`says summary ${materials.length}`),
      tokens_after: expect.any(Number),
    });
    expect(metrics?.details?.model).toHaveLength(1);
    expect(metrics?.details?.compaction_model).toHaveLength(1);
    const parts = Object.values(metrics?.details ?? {}).flat();
    expect(metrics?.input_tokens).toBe(parts.reduce((sum, { input_tokens = 0 }) => sum + input_tokens, 0));

    const noRoom: DailyBudget = {
      reserve: async (call) =>
        call.includes("fold-")
          ? { granted: false, payer: "user", limits: { tokens: 1 }, spent: { tokens: 1, cost: 0 } }
          : { granted: true, settle: async () => undefined },
    };
    const unusable: [string | undefined, How?][] = [
      [undefined],
      [""],
      ["All is well. ".repeat(1_000)],
      ["All is well.", { dailyBudget: noRoom }],
    ];
    for (const [says, ports] of unusable) expect((await runWith(says, ports)).last).toContain("- look_up(");
  });

  test("is shown the same by each process that takes a step of it, and never a call without its result", async () => {
    const inOne = strictModel(lookingUp(40));
    const ports = (models: Models, objects = objectsInMemory()) => {
      let ids = 0;
      return {
        models: known(models, WINDOW),
        clock: tickingClock(),
        newId: () => `id-${++ids}`,
        signal: new AbortController().signal,
        emit: () => undefined,
        results: storedResultsOf({ objects }, SESSION),
      };
    };
    const agent = agentWith(1_000);
    const whole = await executeSlice(agent, aRequest("go"), ports(inOne.models));
    expect(whole.status).toBe("COMPLETED");
    const inMany = strictModel(lookingUp(40));
    const shared = { ...ports(inMany.models), shouldYield: () => true };
    let from: RunState | undefined;
    for (;;) {
      const slice = await executeSlice(agent, aRequest("go"), shared, from);
      if (slice.status !== "YIELDED") break;
      from = JSON.parse(JSON.stringify(slice.state));
    }
    const texts = (prompts: readonly LanguageModelV4Prompt[]) =>
      prompts.map((prompt) => JSON.stringify(prompt));
    const withoutIds = (text: string) => text.replace(/id-\d+/g, "id");
    expect(texts(inMany.prompts).map(withoutIds)).toEqual(texts(inOne.prompts).map(withoutIds));
    expect(inMany.refused).toEqual([]);
  });

  test("says nothing where it fits", async () => {
    const { models } = strictModel(lookingUp(3));
    const run = await runAgent("go", withStore({ agent: agentWith(1_000), models: known(models, WINDOW) }));
    expect(run.order.filter((event) => /^Comp/.test(event))).toEqual([]);
    expect(run.outcome.output.metrics?.additional_metrics).toBeUndefined();
  });
});

describe("the window of a model", () => {
  test("is what is configured, else what its vendor documents, else unknown", () => {
    expect(windowOf("anthropic:claude-sonnet-4-5")).toEqual({ tokens: 200_000, most_output: 64_000 });
    expect(windowOf("anthropic:claude-sonnet-5-5")).toEqual({ tokens: 1_000_000, most_output: 128_000 });
    expect(windowOf("amazon-bedrock:eu.anthropic.claude-haiku-4-5-20251001-v1:0")).toEqual({
      tokens: 200_000,
      most_output: 64_000,
    });
    expect(windowOf("openai:gpt-4.1-mini")).toEqual({ tokens: 1_047_576, most_output: 32_768 });
    expect(windowOf("openai-compatible:qwen4")).toBeUndefined();
    expect(windowOf("openai-compatible:qwen4", { "openai-compatible:qwen4": 32_768 })).toEqual({
      tokens: 32_768,
    });
  });

  test.each([
    ["prompt is too long: 200001 tokens > 200000 maximum", 200_000],
    [
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.",
      8_192,
    ],
    [
      "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 297006 tokens.",
      272_000,
    ],
    ["The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).", 1_048_576],
    ["input length and `max_tokens` exceed context limit: 190000 + 21333 > 200000, decrease either", 200_000],
    ["Input is too long for requested model.", undefined],
  ])("is read out of %s, which is no fault of the request alone", (text, tokens) => {
    expect(windowIn(text)).toBe(tokens);
    const classOf = (statusCode: number) =>
      faultClass(modelFault(Object.assign(refusal(text), { statusCode }), 0), false);
    expect([classOf(400), classOf(413), classOf(429)]).toEqual([
      "context_overflow",
      "context_overflow",
      "rate_limit",
    ]);
  });

  test.each([
    [429, "Rate limit reached on tokens per min (TPM): the token limit is 30000, used 29000.", "rate_limit"],
    [400, "max_tokens: 70000 > 64000, which is the maximum allowed number of output tokens", "client"],
  ])("is not what a service speaks of with %i: %s", (statusCode, text, kind) => {
    expect(faultClass(modelFault(Object.assign(refusal(text), { statusCode }), 0), false)).toBe(kind);
  });
});

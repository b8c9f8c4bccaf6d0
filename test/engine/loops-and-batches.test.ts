import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { waitBefore } from "../../shared/engine/loop/complete-call.ts";
import { executeSlice } from "../../shared/engine/loop/execute-slice.ts";
import type { ToolLedger } from "../../shared/engine/ports/engine-ports.ts";
import type { RunState } from "../../shared/engine/run/run-state.ts";
import { defineTool, type Tool } from "../../shared/engine/tool/tool.ts";
import { manualClock } from "../support/manual-clock.ts";
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
import { watchedModel } from "./support/watched-model.ts";

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } } as never;
type Call = readonly [name: string, args?: object];

/** The parts of an answer that says something, or calls tools. */
function answer(
  calls: readonly Call[],
  at: number,
  end: "stop" | "length" = "stop",
  text = "Done.",
): LanguageModelV4StreamPart[] {
  const called = calls.map(([toolName, args = {}], i) => ({
    type: "tool-call" as const,
    toolCallId: `c${at}-${i}`,
    toolName,
    input: JSON.stringify(args),
  }));
  const said = [
    { type: "text-start" as const, id: "t" },
    { type: "text-delta" as const, id: "t", delta: text },
    { type: "text-end" as const, id: "t" },
  ];
  const finishReason = { unified: calls.length > 0 ? "tool-calls" : end, raw: end } as const;
  return [...(calls.length > 0 ? called : said), { type: "finish", usage, finishReason }];
}

/** A model that makes these calls, answer by answer, and then says that it is done. */
function playing(answers: readonly (readonly Call[])[]) {
  let at = 0;
  return watchedModel(() => {
    const calls = answers[at] ?? [];
    at += 1;
    return answer(calls, at);
  });
}

const counted = (name: string, parts: Partial<Tool> = {}) => {
  let runs = 0;
  const tool = {
    ...defineTool({
      name,
      description: name,
      parameters: v.record(v.string(), v.unknown()),
      effect: "safe",
      execute: () => name,
    }),
    ...parts,
  };
  const execute: Tool["execute"] = (args, context) => {
    runs += 1;
    return tool.execute?.(args, context);
  };
  return { tool: { ...tool, execute }, runs: () => runs };
};

async function runLoop(
  answers: readonly (readonly Call[])[],
  tools: readonly Tool[],
  how: { loop_limit?: number } = {},
) {
  const { models, prompts } = playing(answers);
  const run = await runAgent("Go", { agent: anAgent({ tools, ...how }), models });
  const texts = (run.outcome.output.messages ?? [])
    .filter(({ role }) => role === "tool")
    .map(({ content }) => content);
  return { ...run, prompts, reminded: texts.map((text = "") => text.includes("[Repeated: ")) };
}

const times = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one);

describe("a model that calls the same with the same result", () => {
  test("is reminded at the third time, called without tools after the fifth, and then the run fails", async () => {
    const { tool, runs } = counted("look");
    const run = await runLoop(times(9, [["look", { at: 1 }]]), [tool]);
    expect(run.outcome).toMatchObject({
      status: "ERROR",
      cause: "model",
      error: expect.stringContaining("loop_limit of 5"),
    });
    expect(run.events.at(-1)).toMatchObject({ event: "RunError", error_type: "loop" });
    expect(runs()).toBe(5);
    expect(run.reminded).toEqual([false, false, true, true, true]);
    // What the tool has answered stays without the reminder.
    expect(run.outcome.output.tools?.map(({ result }) => result)).toEqual(times(5, "look"));
  });

  test("completes with what it says when it is called without tools", async () => {
    const run = await runLoop(times(5, [["look"]]), [counted("look").tool]);
    expect(run.outcome).toMatchObject({ status: "COMPLETED", output: { content: "Done." } });
  });

  test.each([2, 3])("is noticed in a cycle of %i answers too", async (length) => {
    const cycle = ["a", "b", "c"].slice(0, length).map((name): Call[] => [[name]]);
    const tools = ["a", "b", "c"].map((name) => counted(name).tool);
    const run = await runLoop(times(6, cycle).flat(), tools);
    expect(run.outcome).toMatchObject({ status: "ERROR" });
    expect(run.reminded.indexOf(true)).toBe(3 * length - 1);
    expect(run.outcome.output.tools).toHaveLength(5 * length);
  });

  test("in one answer has called it once", async () => {
    const run = await runLoop([times(8, ["look"] as const)], [counted("look").tool]);
    expect(run.outcome.status).toBe("COMPLETED");
    expect(run.reminded).toEqual(times(8, false));
  });

  test.each([
    ["results that change", (n: number) => counted("look", { execute: () => String(n++) }).tool, undefined],
    ["a tool that may repeat", () => counted("look", { may_repeat: true }).tool, undefined],
    ["a limit of 0", () => counted("look").tool, 0],
  ])("continues with %s", async (_, tool, loop_limit) => {
    const run = await runLoop(
      times(9, [["look"]]),
      [tool(0)],
      loop_limit === undefined ? {} : { loop_limit },
    );
    expect(run.outcome.status).toBe("COMPLETED");
    expect(run.outcome.output.tools).toHaveLength(9);
    expect(run.reminded).not.toContain(true);
  });
});

describe("a wide batch", () => {
  async function widest(tool: Partial<Tool>, how: Partial<How> = {}) {
    let running = 0;
    let most = 0;
    const slow = counted("work", {
      execute: async ({ n }) => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        return `result ${n}`;
      },
      ...tool,
    });
    const { models } = playing([times(30, 0).map((_, n) => ["work", { n }] as const)]);
    const run = await runAgent("Go", { agent: anAgent({ tools: [slow.tool] }), models, ...how });
    const results = run.outcome.output.messages
      ?.filter(({ role }) => role === "tool")
      .map(({ content }) => content);
    expect(results).toEqual(times(30, 0).map((_, n) => `result ${n}`));
    return most;
  }
  test("runs eight of 30 calls at once, and their results are in order", async () =>
    expect(await widest({})).toBe(8));
  test("runs as many as the setting says", async () =>
    expect(await widest({}, { toolLimits: { parallel: 3, timeout_seconds: 60 } })).toBe(3));
  test("runs as many calls of a tool as it says", async () =>
    expect(await widest({ max_parallel: 2 })).toBe(2));
});

const instant = { ...tickingClock(), sleep: async () => undefined };

describe("a tool that fails", () => {
  const failing = (failures: number, parts: Partial<Tool> = {}) => {
    const keys: string[] = [];
    const { tool } = counted("charge", {
      execute: (_, { idempotency_key }) => {
        keys.push(idempotency_key);
        if (keys.length <= failures) throw new Error("busy");
        return "charged";
      },
      ...parts,
    });
    return { tool, keys };
  };
  const script = "[[tool:charge {}]]";

  test("is called again as often as it allows, under the same key, and says how often", async () => {
    const { tool, keys } = failing(2, { effect: "keyed", retries: 3 });
    const run = await runAgent(script, { agent: anAgent({ tools: [tool] }), clock: instant });
    expect(run.outcome.output.tools).toMatchObject([
      { result: "charged", tool_call_error: false, metrics: { attempts: 3 } },
    ]);
    expect(new Set(keys).size).toBe(1);
    expect(eventsOf(run, "ToolCallStarted")).toHaveLength(1);
  });
  test("every time is a failure that the model reads", async () => {
    const { tool, keys } = failing(9, { retries: 2 });
    const { outcome } = await runAgent(script, { agent: anAgent({ tools: [tool] }), clock: instant });
    expect(outcome.output.tools).toMatchObject([
      { result: "busy", tool_call_error: true, metrics: { attempts: 3 } },
    ]);
    expect(keys).toHaveLength(3);
  });
  test("is not called again where it does not say so", async () => {
    const { tool, keys } = failing(1);
    const { outcome } = await runAgent(script, { agent: anAgent({ tools: [tool] }), clock: instant });
    expect(keys).toHaveLength(1);
    expect(outcome.output.tools?.[0]?.metrics).not.toHaveProperty("attempts");
  });
  test.each([
    [{ effect: "once", retries: 1 } as const, /no retries/],
    [{ effect: "safe", retries: 6 } as const, /from 0 to 5/],
    [{ effect: "safe", max_parallel: 0 } as const, /max_parallel/],
  ])("cannot be declared so: %o", (parts, message) => {
    const declared = { name: "charge", description: "Charge.", parameters: v.object({}), execute: () => "" };
    expect(() => defineTool({ ...declared, ...parts })).toThrow(message);
  });
  test("waits a second, then two, up to 30, less up to half of it", () => {
    const waits = [1, 2, 3, 4, 5, 6, 7].map((failures) => waitBefore(failures, "run:call"));
    for (const [i, most] of [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000].entries()) {
      expect(waits[i]).toBeGreaterThanOrEqual(most / 2);
      expect(waits[i]).toBeLessThanOrEqual(most);
    }
    expect(waitBefore(1, "one")).not.toBe(waitBefore(1, "other"));
  });

  test("keeps its count when the process dies between two attempts", async () => {
    const { tool, keys } = failing(9, { effect: "keyed", retries: 2 });
    const entered: string[] = [];
    const ledger: ToolLedger = {
      start: async (call) => {
        if (entered.includes(call)) return { state: "open", starts: 1 };
        entered.push(call);
        return { state: "started" };
      },
      startAgain: async () => ({ state: "started" }),
      end: async () => undefined,
    };
    const agent = anAgent({ tools: [tool] });
    let saved: RunState | undefined;
    const killed = new Error("killed");
    const dying = withPorts(
      { clock: { ...instant, sleep: () => Promise.reject(killed) }, ledger },
      async (ports) => {
        const slice = {
          ...ports,
          saveCheckpoint: async (state: RunState) => {
            saved = JSON.parse(JSON.stringify(state));
            if (keys.length === 1) throw killed;
          },
        };
        await executeSlice(agent, aRequest(script), slice);
        throw new Error("it lives");
      },
    );
    await expect(dying).rejects.toThrow("killed");
    const { outcome } = await withPorts({ clock: instant, ledger }, async (ports) => {
      const ended = await executeSlice(agent, aRequest(script), ports, saved);
      if (ended.status === "YIELDED") throw new Error("it yielded");
      return ended;
    });
    expect(outcome.output.tools).toMatchObject([{ result: "busy", metrics: { attempts: 3 } }]);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
  });
});

describe("a tool that hangs", () => {
  const hanging = (parts: Partial<Tool>) =>
    counted("wait", { execute: () => new Promise(() => undefined), ...parts }).tool;
  async function hang(parts: Partial<Tool>) {
    const clock = manualClock(1_000);
    const running = runAgent("[[tool:wait {}]]", {
      agent: anAgent({ tools: [hanging(parts)] }),
      clock,
      toolLimits: { parallel: 8, timeout_seconds: 600 },
      onEvent: ({ event }) => {
        if (event === "ToolCallStarted") setImmediate(() => setImmediate(() => clock.advance(600_000)));
      },
    });
    return running;
  }
  test("has failed after the time that the setting gives every tool", async () => {
    const { outcome } = await hang({});
    expect(outcome.output.tools).toMatchObject([
      { tool_call_error: true, result: "The tool did not answer within 600 seconds." },
    ]);
  });
  test("has failed after its own time", async () => {
    const { outcome } = await hang({ timeout_seconds: 5 });
    expect(outcome.output.tools).toMatchObject([{ result: "The tool did not answer within 5 seconds." }]);
  });
  test("and must not run twice is left to a person", async () => {
    const { outcome } = await hang({ effect: "once" });
    expect(outcome.status).toBe("PAUSED");
  });
});

describe("an answer that reaches the limit of its output", () => {
  const cutting = (cuts: number) => {
    let at = 0;
    return watchedModel(() => answer([], ++at, at <= cuts ? "length" : "stop", `part${at} `));
  };
  test("is continued where its agent sets none", async () => {
    const { models } = cutting(2);
    const { outcome } = await runAgent("Go", { models });
    expect(outcome.output).toMatchObject({ status: "COMPLETED", content: "part1 part2 part3 " });
    expect(outcome.output).not.toHaveProperty("finish_reason");
    expect(outcome.output.messages?.filter(({ role }) => role === "assistant")).toHaveLength(1);
  });
  test("is continued three times, and kept with its reason", async () => {
    const { models, prompts } = cutting(9);
    const { outcome } = await runAgent("Go", { models });
    expect(outcome.output).toMatchObject({
      status: "COMPLETED",
      finish_reason: "length",
      content: "part1 part2 part3 part4 ",
    });
    expect(prompts).toHaveLength(4);
  });
  test("is kept as it is where its agent sets that limit", async () => {
    const { models, prompts } = cutting(9);
    const { outcome } = await runAgent("Go", { models, agent: anAgent({ max_output_tokens: 5 }) });
    expect(outcome.output).toMatchObject({ status: "COMPLETED", finish_reason: "length", content: "part1 " });
    expect(prompts).toHaveLength(1);
  });
  test("within a call says why it was not made", async () => {
    const { tool, seen } = aTool();
    let at = 0;
    const { models } = watchedModel(() => {
      at += 1;
      if (at > 1) return answer([], at);
      const cut = { type: "tool-call" as const, toolCallId: "c1", toolName: "add", input: '{"a":2,' };
      return [cut, { type: "finish", usage, finishReason: { unified: "length", raw: "length" } }];
    });
    const { outcome } = await runAgent("Go", { models, agent: anAgent({ tools: [tool] }) });
    expect(seen).toEqual([]);
    expect(outcome.output.tools).toMatchObject([
      { tool_call_error: true, result: expect.stringContaining("cut off") },
    ]);
  });
});

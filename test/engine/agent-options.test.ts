import * as v from "valibot";
import { describe, expect, test } from "vitest";
import type { PendingState } from "../../shared/domain/sessions/session-state.ts";
import { type Agent, defineAgent } from "../../shared/engine/define/agent.ts";
import { executeSlice } from "../../shared/engine/loop/execute-slice.ts";
import { createModels } from "../../shared/engine/model/create-models.ts";
import type { Models } from "../../shared/engine/model/models.ts";
import type { EnginePorts } from "../../shared/engine/ports/engine-ports.ts";
import { openSessionState } from "../../shared/engine/ports/session-state.ts";
import { RunStopped } from "../../shared/engine/run/next-step.ts";
import { defineTool } from "../../shared/engine/tool/tool.ts";
import { anAgent, aRequest, aTool, runAgent, scripted, tickingClock } from "./support/run-agent.ts";

type Parts = Parameters<typeof aRequest>[1];

/** What a run sends the model first. */
async function messagesOf(agent: Agent, parts: Parts = {}) {
  const { outcome } = await runAgent("", { agent, request: aRequest("Hello", parts) });
  return outcome.output.messages ?? [];
}

const system = async (agent: Agent, parts?: Parts) => (await messagesOf(agent, parts))[0]?.content;

/** A scripted model that keeps what it was asked with. */
function watchedModel() {
  const calls: { toolChoice?: unknown; maxOutputTokens?: unknown; temperature?: unknown }[] = [];
  const inner = scripted();
  const models: Models = {
    ...inner,
    resolve: async (spec) => {
      const resolved = await inner.resolve(spec);
      const { model } = resolved;
      return {
        ...resolved,
        model: {
          ...model,
          doStream: (options) => {
            calls.push(options);
            return model.doStream(options);
          },
        },
      };
    },
  };
  return { models, calls };
}

describe("what an agent sends its model", () => {
  test("is made of its settings, in one order", async () => {
    const agent = anAgent({
      description: "Helps guests.",
      role: "Host",
      instructions: ["Be kind.", "Be brief."],
      expected_output: "One sentence.",
      additional_context: "Breakfast is at seven.",
      markdown: true,
      add_name_to_context: true,
    });
    expect((await system(agent))?.split("\n\n")).toEqual([
      "Helps guests.",
      "Your role: Host",
      "- Be kind.\n- Be brief.",
      "Expected output: One sentence.",
      "Breakfast is at seven.",
      "Format the answer as Markdown.",
      "Your name: Helper",
    ]);
  });

  test("is its system message alone, when it has one", async () => {
    const agent = anAgent({ system_message: "You are a parrot.", description: "Helps.", markdown: true });
    expect(await system(agent)).toBe("You are a parrot.");
  });

  test("names values of the session, and leaves braces alone that name none", async () => {
    const instructions = 'Call {user_id} {title} of {city}; answer like {"a": {b}}.';
    const parts = { session_state: { city: "Bern" }, dependencies: { city: "Rome", title: ["Dr"] } };
    expect(await system(anAgent({ instructions }), parts)).toBe(
      'Call maria ["Dr"] of Bern; answer like {"a": {b}}.',
    );
    expect(await system(anAgent({ instructions, resolve_in_context: false }), parts)).toBe(instructions);
  });

  test("may be made for each run, from what the run knows", async () => {
    const agent = anAgent({
      instructions: async ({ metadata, parameters }) => `${metadata.a} ${parameters.b}`,
    });
    expect(await system(agent, { metadata: { a: 1 }, parameters: { b: 2 } })).toBe("1 2");
  });

  test("has what differs from run to run behind its message, and never in the system message", async () => {
    const agent = anAgent({
      instructions: "Be kind.",
      add_datetime_to_context: true,
      add_session_state_to_context: true,
      add_session_summary_to_context: true,
      add_memories_to_context: true,
    });
    const shown = async (note: string, startMs: number, memory: string) => {
      const { outcome } = await runAgent("Hello", {
        agent,
        request: aRequest("Hello", {
          session_state: { note },
          session_summary: { summary: "They met.", updated_at: "" },
          briefing: "The team waits.",
        }),
        clock: { now: () => startMs, sleep: async () => undefined },
        memories: { list: async () => [{ memory }] } as unknown as NonNullable<EnginePorts["memories"]>,
      });
      return outcome.output.messages ?? [];
    };
    const [system, user] = await shown("{user_id}", 1_790_000_000_000, "Likes tea.");
    expect(system?.content).toBe("Be kind.");
    expect(user).toMatchObject({ role: "user", content: "Hello" });
    // A user's own braces are no placeholders.
    expect(user?.context?.split("\n\n")).toEqual([
      expect.stringMatching(/^<context>\nIt is .* UTC\.$/),
      'State of the session: {"note":"{user_id}"}',
      "What you remember of the user:\n- Likes tea.",
      "Summary of the conversation so far:\nThey met.",
      "The team waits.\n</context>",
    ]);
    const [otherSystem, otherUser] = await shown("new", 1_790_009_000_000, "Likes coffee.");
    expect(otherSystem?.content).toBe(system?.content);
    expect(otherUser?.context).not.toBe(user?.context);
  });

  test("fails the run before any call, when its instructions cannot be made", async () => {
    const agent = anAgent({
      instructions: () => {
        throw new Error("host db-1 is down");
      },
    });
    const { outcome, order } = await runAgent("hello", { agent });
    expect(order).toEqual(["RunStarted", "RunError"]);
    expect(outcome.output.content).toBe("The agent's instructions could not be made.");
  });

  test("starts with its own messages, which the output shows apart", async () => {
    const example = [
      { role: "user" as const, content: "Ping?" },
      { role: "assistant" as const, content: "Pong." },
    ];
    const { outcome } = await runAgent("", {
      agent: anAgent({ additional_input: example, add_history_to_context: true }),
      request: aRequest("Hello", {
        history: [
          {
            id: "h",
            role: "user",
            content: "Before?",
            from_history: true,
            stop_after_tool_call: false,
            created_at: 1,
          },
        ],
      }),
    });
    expect(outcome.output.messages?.map(({ content }) => content)).toEqual([
      "Ping?",
      "Pong.",
      "Before?",
      "Hello",
      "You said: Hello",
    ]);
    expect(outcome.output.additional_input).toMatchObject(example);
  });
});

describe("a guard that breaks", () => {
  const broken = { name: "broken", check: () => Promise.reject(new Error("secret")) };

  test("lets nothing pass and shows nothing of itself", async () => {
    const { outcome, order } = await runAgent("hello", { agent: anAgent({ pre_hooks: [broken] }) });
    expect(order).toEqual(["RunStarted", "PreHookStarted", "RunError"]);
    expect(outcome).toMatchObject({ status: "ERROR", cause: "internal", error: "The check broken failed." });
  });

  test("is stopped with its run", async () => {
    const stop = new AbortController();
    const endless = { name: "endless", check: () => new Promise<undefined>(() => {}) };
    const { outcome } = await runAgent("hello", {
      agent: anAgent({ pre_hooks: [endless] }),
      signal: stop.signal,
      onEvent: ({ event }) => {
        if (event === "PreHookStarted") stop.abort(new RunStopped("cancelled", "Enough."));
      },
    });
    expect(outcome).toMatchObject({ status: "CANCELLED", output: { content: "Enough." } });
  });
});

describe("the session's state", () => {
  const setting = (changes: () => Record<string, unknown>) =>
    defineTool({
      name: "set",
      description: "Sets.",
      parameters: v.object({}),
      effect: "safe",
      execute: (_, { updateSessionState }) => updateSessionState(changes()),
    });

  test("keeps what JSON can say and refuses the rest, as a tool error", async () => {
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    const given = { session_state: { a: 1 } };
    const run = async (changes: Record<string, unknown>) => {
      const agent = anAgent({ tools: [setting(() => changes)] });
      return (await runAgent("", { agent, request: aRequest("[[tool:set {}]]", given) })).outcome.output;
    };
    const kept = await run({ at: new Date(0), none: undefined });
    expect(kept.session_state).toEqual({ a: 1, at: "1970-01-01T00:00:00.000Z" });
    const refused = await run(cyclic);
    expect(refused).toMatchObject({ session_state: { a: 1 }, tools: [{ tool_call_error: true }] });
    const lost = await run({ constructor: "lost" });
    expect(lost).toMatchObject({ session_state: { a: 1 }, tools: [{ tool_call_error: true }] });
  });

  test("goes with the run from one process to the next", async () => {
    const agent = anAgent({ tools: [setting(() => ({ seen: true }))] });
    const ports = {
      models: scripted(),
      clock: tickingClock(),
      newId: () => "id",
      emit: () => undefined,
      signal: new AbortController().signal,
      shouldYield: () => true,
    };
    const request = aRequest("[[tool:set {}]]");
    const opened = (pending?: PendingState) => openSessionState({ base: { a: 1 }, pending });
    let sessionState = opened();
    let executed = await executeSlice(agent, request, { ...ports, sessionState });
    for (let i = 0; executed.status === "YIELDED" && i < 10; i += 1) {
      const [from, pending] = JSON.parse(JSON.stringify([executed.state, sessionState.pending()]));
      sessionState = opened(pending);
      executed = await executeSlice(agent, request, { ...ports, sessionState }, from);
    }
    expect(executed).toMatchObject({ output: { session_state: { a: 1, seen: true } } });
  });
});

describe("a tool choice", () => {
  test("holds for the first call of a run and not for the next", async () => {
    const { models, calls } = watchedModel();
    const agent = anAgent({
      tools: [aTool().tool],
      tool_choice: { tool: "add" },
      additional_input: [{ role: "assistant", content: "Ready." }],
    });
    await runAgent('[[tool:add {"a":1,"b":2}]]', { agent, models });
    expect(calls.map(({ toolChoice }) => toolChoice)).toEqual([{ type: "tool", toolName: "add" }, undefined]);
  });
});

describe("the length of an answer", () => {
  test.each([
    ["is the model's affair", {}, undefined],
    ["is what the agent says", { max_output_tokens: 50 }, 50],
    ["always has a limit under a budget", { max_tokens_per_run: 100_000 }, 4096],
  ])("%s", async (_, parts, limit) => {
    const { models, calls } = watchedModel();
    await runAgent("hello", { agent: anAgent(parts), models });
    expect(calls[0]?.maxOutputTokens).toBe(limit);
  });
});

describe("the temperature of an answer", () => {
  test("is the agent's, the provider's without it, and no affair of the helpers", async () => {
    const { models, calls } = watchedModel();
    await runAgent("hello", { agent: anAgent(), models });
    await runAgent("hello", { agent: anAgent({ temperature: 0, followups: true }), models });
    expect(calls.map(({ temperature }) => temperature)).toEqual([undefined, 0, undefined]);
  });
});

describe("what an agent does after its answer", () => {
  test("does not cost the run when the model fails at it", async () => {
    const agent = anAgent({ enable_session_summaries: true, followups: true });
    const failing: Models = { ...createModels({ MODEL: "scripted" }), resolve: failingAfter(1) };
    const { outcome, order } = await runAgent("hello", { agent, models: failing });
    expect(outcome).toMatchObject({ status: "COMPLETED", output: { followups: [] } });
    expect(outcome).not.toHaveProperty("session_summary");
    expect(order.slice(-5)).toEqual([
      "SessionSummaryStarted",
      "SessionSummaryCompleted",
      "FollowupsStarted",
      "FollowupsCompleted",
      "RunCompleted",
    ]);
  });

  test("is left out when the budget has no room for it", async () => {
    const agent = anAgent({ followups: true, max_tokens_per_run: 160, max_output_tokens: 20 });
    const { outcome } = await runAgent("hello", { agent });
    expect(outcome).toMatchObject({
      status: "COMPLETED",
      output: { content: "You said: hello", followups: [] },
    });
  });

  test("stops with its run", async () => {
    const stop = new AbortController();
    const { outcome, order } = await runAgent("hello", {
      agent: anAgent({ followups: true }),
      signal: stop.signal,
      onEvent: ({ event }) => {
        if (event === "FollowupsStarted") stop.abort(new RunStopped("cancelled", "Enough."));
      },
    });
    expect(outcome).toMatchObject({ status: "CANCELLED", output: { content: "You said: hello" } });
    expect(order.slice(-2)).toEqual(["RunCancelled", "RunCompleted"]);
  });
});

function failingAfter(count: number): Models["resolve"] {
  let asked = 0;
  return (spec) => {
    asked += 1;
    return asked > count ? Promise.reject(new Error("down")) : scripted().resolve(spec);
  };
}

test("an agent that reads the chat history has a tool for it", () => {
  const agent = defineAgent({ id: "reader", name: "Reader", read_chat_history: true });
  expect(agent.tools.map(({ name }) => name)).toEqual(["get_chat_history"]);
});

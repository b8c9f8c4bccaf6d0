import * as v from "valibot";
import { describe, expect, test } from "vitest";
import type { PreHook, TextOrigin } from "../../shared/engine/define/hook.ts";
import { defineTeam } from "../../shared/engine/define/team.ts";
import { executeSlice } from "../../shared/engine/loop/execute-slice.ts";
import { withInput } from "../../shared/engine/pause/answer-run.ts";
import type { Inbox } from "../../shared/engine/ports/inbox-port.ts";
import { defineTool } from "../../shared/engine/tool/tool.ts";
import type { Message, ToolExecution } from "../../shared/schemas/runs/run.ts";
import { continueAgent, pausedState } from "./support/continue-agent.ts";
import {
  anAgent,
  aRequest,
  eventsOf,
  runAgent,
  scripted,
  tickingClock,
  withPorts,
} from "./support/run-agent.ts";
import { watchedModel } from "./support/watched-model.ts";

const SECRET = "4111 1111 1111 1111";

/** Refuses the secret and keeps what it was shown. */
function aGuard() {
  const seen: [TextOrigin, string][] = [];
  const hook: PreHook = {
    name: "guard",
    check: (text, _context, origin) => {
      seen.push([origin, text]);
      return text.includes("4111") ? { refused: "No.", error_id: "card" } : undefined;
    },
  };
  return { hook, seen };
}

const waiting = (parts: object) =>
  defineTool({
    name: "ask",
    description: "Asks.",
    parameters: v.object({ words: v.optional(v.string()) }),
    effect: "safe",
    execute: ({ words }) => `noted ${words}`,
    ...parts,
  });

const ways: readonly (readonly [string, object, Partial<ToolExecution>, TextOrigin])[] = [
  [
    "the note of a refusal",
    { requires_confirmation: true },
    { confirmed: false, confirmation_note: SECRET },
    "note",
  ],
  [
    "the note of a consent",
    { requires_confirmation: true },
    { confirmed: true, confirmation_note: SECRET },
    "note",
  ],
  ["the result of a client", { external_execution: true }, { result: SECRET }, "answer"],
  [
    "a value that a person fills in",
    { requires_user_input: true, user_input_fields: ["words"] },
    {
      answered: true,
      user_input_schema: [{ name: "words", field_type: "str", description: null, value: SECRET }],
    },
    "answer",
  ],
  [
    "arguments that a person has changed",
    { requires_confirmation: true },
    { confirmed: true, proposed_args: {}, tool_args: { words: SECRET } },
    "answer",
  ],
];

describe("a guard of the input", () => {
  test.each(ways)("is shown %s before the tool and the model get it", async (_, parts, answer, origin) => {
    const { hook, seen } = aGuard();
    const { models, prompts } = watchedModel();
    let executed = 0;
    const tool = waiting({ ...parts, execute: () => ++executed });
    const agent = anAgent({ tools: [tool], pre_hooks: [hook] });
    const state = await pausedState("[[tool:ask {}]]", { agent });
    seen.length = 0;
    const run = await continueAgent(state, answer, { agent, models });
    expect(run.order).toEqual(["RunContinued", "PreHookStarted", "RunError"]);
    expect(run.outcome).toMatchObject({ status: "ERROR", output: { content: "No." } });
    expect(seen).toContainEqual([origin, expect.stringContaining(SECRET)]);
    expect([executed, prompts.length]).toEqual([0, 0]);
  });

  test("is shown a further message once, and its refusal leaves no trace in the messages", async () => {
    const { hook, seen } = aGuard();
    const agent = anAgent({ pre_hooks: [hook], tools: [waiting({ requires_confirmation: true })] });
    const before = await pausedState("[[tool:ask {}]]", { agent });
    seen.length = 0;
    const ports = { clock: tickingClock(), newId: () => crypto.randomUUID() };
    const said = (input: string) =>
      continueAgent(withInput(before, input, ports), { confirmed: true }, { agent });
    const refused = await said(SECRET);
    expect(refused.outcome.status).toBe("ERROR");
    const textsOf = (messages: readonly Message[] = []) => messages.map(({ content }) => content);
    expect(JSON.stringify(textsOf(refused.outcome.output.messages))).not.toContain("4111");
    seen.length = 0;
    const accepted = await said("go on");
    expect(accepted.outcome.status).toBe("COMPLETED");
    expect(seen).toEqual([["message", "go on"]]);
  });

  test("is shown what is said to a run that works; what it refuses is in no prompt, and the run goes on", async () => {
    const { hook, seen } = aGuard();
    const { models, prompts } = watchedModel();
    let isCalled = false;
    const tool = waiting({
      execute: () => {
        isCalled = true;
        return "noted";
      },
    });
    const said = [SECRET, "be brief"].map((content, at) => ({ message_id: `m-${at}`, content, media: {} }));
    const refused: string[] = [];
    const inbox: Inbox = {
      take: async () => (isCalled ? said.splice(0) : []),
      refuse: async ({ message_id }) => void refused.push(message_id),
    };
    const agent = anAgent({ pre_hooks: [hook], tools: [tool] });
    const run = await runAgent("[[tool:ask {}]]", { agent, models, inbox });
    expect(run.outcome.status).toBe("COMPLETED");
    expect(seen).toContainEqual(["message", SECRET]);
    expect(refused).toEqual(["m-0"]);
    expect(JSON.stringify([prompts, run.outcome.output.messages])).not.toContain("4111");
    expect(JSON.stringify(prompts.at(-1))).toContain("be brief");
    const states = eventsOf(run, "CustomEvent").flatMap((event) =>
      event.name === "user_message" ? [[event.message_id, event.state]] : [],
    );
    expect(states).toEqual([
      ["m-0", "refused"],
      ["m-1", "taken"],
    ]);
  });

  test("is shown what the request puts into the prompt beside its message", async () => {
    const { hook, seen } = aGuard();
    const agent = anAgent({
      instructions: "The tenant is {tenant}, the guest {guest}, the time {time}.",
      add_dependencies_to_context: true,
      pre_hooks: [hook],
    });
    const request = aRequest("hello", {
      dependencies: { house: "Alpenblick", nested: { rooms: [12] } },
      session_state: { guest: "Maria", unused: "x" },
      metadata: { tenant: "acme" },
      client_tools: [{ name: "open_gate", description: "Opens it." }],
      output_schema: { type: "object", description: "Form" },
    });
    await runAgent("", { agent, request });
    expect(seen).toEqual([
      ["message", "hello"],
      ["dependencies", "house\nAlpenblick\nnested\nrooms\n12"],
      ["client_tools", "name\nopen_gate\ndescription\nOpens it."],
      ["output_schema", "type\nobject\ndescription\nForm"],
      ["dependencies", "acme"],
      ["session_state", "Maria"],
    ]);
  });

  test("is asked once about a message, however often the run yields", async () => {
    const { hook, seen } = aGuard();
    const agent = anAgent({ pre_hooks: [hook], tools: [waiting({})] });
    let executed: Awaited<ReturnType<typeof executeSlice>> | undefined;
    await withPorts({}, async (ports) => {
      const yielding = { ...ports, shouldYield: () => true };
      executed = await executeSlice(agent, aRequest("[[tool:ask {}]]"), yielding);
      while (executed.status === "YIELDED") {
        const from = JSON.parse(JSON.stringify(executed.state));
        executed = await executeSlice(agent, aRequest("[[tool:ask {}]]"), yielding, from);
      }
      return executed;
    });
    expect(executed?.status).toBe("COMPLETED");
    expect(seen).toEqual([["message", "[[tool:ask {}]]"]]);
  });

  test("of a team is shown what people say in its members' runs", async () => {
    const { hook } = aGuard();
    const member = anAgent({ id: "member", tools: [waiting({ external_execution: true })] });
    const team = defineTeam({ id: "team", name: "Team", retries: 0, members: [member], pre_hooks: [hook] });
    const task = { member_id: "member", task: "[[tool:ask {}]]" };
    const request = aRequest(`[[tool:delegate_task_to_member ${JSON.stringify(task)}]]`);
    const run = await withPorts({ models: scripted() }, async (ports) => {
      const paused = await executeSlice(team, request, ports);
      if (paused.status !== "PAUSED") throw new Error(`the run is ${paused.status}`);
      const { stateFromRun } = await import("../../shared/engine/run/state-from-run.ts");
      const { output } = paused;
      const members = output.member_responses?.map((one) => ({
        ...one,
        tools: one.tools?.map((call) => ({ ...call, result: SECRET })),
      }));
      const from = stateFromRun(
        { ...output, ...(members && { member_responses: members }) },
        output.tools ?? [],
        0,
      );
      const next = await executeSlice(team, request, { ...ports, continues: true }, from);
      if (next.status === "YIELDED") throw new Error("yielded");
      return next;
    });
    const [member_run] = run.outcome.output.member_responses ?? [];
    expect(member_run).toMatchObject({ status: "ERROR", content: "No." });
  });
});

import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { shownParameters } from "../../shared/engine/tool/new-tool-call.ts";
import { defineTool, type Tool } from "../../shared/engine/tool/tool.ts";
import { Requirement, ToolExecution } from "../../shared/schemas/runs/run.ts";
import { askUser } from "../support/registry/waiting-tools.ts";
import { continueAgent, pausedState } from "./support/continue-agent.ts";
import { anAgent, aTool, eventsOf, runAgent } from "./support/run-agent.ts";

const paused = [
  "RunStarted",
  "ModelRequestStarted",
  "ModelRequestCompleted",
  "RunContentCompleted",
  "RunPaused",
];
const answered = [
  "ModelRequestStarted",
  "RunContent",
  "ModelRequestCompleted",
  "RunContentCompleted",
  "RunCompleted",
];
const executed = ["RunContinued", "ToolCallStarted", "ToolCallCompleted", ...answered];
const notExecuted = ["RunContinued", ...answered];

const adding = '[[tool:add {"a":2,"b":3}]]';
const agentWith = (...tools: Tool[]) => anAgent({ tools });

describe("a run that waits for a confirmation", () => {
  const gated = () => aTool({ requires_confirmation: true });

  test("runs the call once it is confirmed", async () => {
    const { tool, seen } = gated();
    const agent = agentWith(tool);
    const state = await pausedState(adding, { agent });
    const run = await continueAgent(state, { confirmed: true }, { agent });
    expect(run.order).toEqual(executed);
    expect(seen).toHaveLength(1);
    expect(run.outcome).toMatchObject({ status: "COMPLETED", output: { content: "5" } });
  });

  test("goes on without the call once it is rejected, and gives the model the reason", async () => {
    const { tool, seen } = gated();
    const agent = agentWith(tool);
    const state = await pausedState(adding, { agent });
    const run = await continueAgent(state, { confirmed: false, confirmation_note: "too much" }, { agent });
    expect(run.order).toEqual(notExecuted);
    expect(seen).toEqual([]);
    expect(run.outcome.output.content).toContain("too much");
    expect(run.outcome.output.tools).toMatchObject([{ confirmed: false, tool_call_error: true }]);
    expect(run.outcome.output.messages?.at(-2)).toMatchObject({ role: "tool", tool_call_error: true });
  });

  test("pauses again while there is no answer", async () => {
    const agent = agentWith(gated().tool);
    const run = await continueAgent(await pausedState(adding, { agent }), {}, { agent });
    expect(run.order).toEqual(["RunContinued", "RunContentCompleted", "RunPaused"]);
  });

  test("shows the model what else was said after the result of the call", async () => {
    const agent = agentWith(gated().tool);
    const state = await pausedState(adding, { agent });
    const more = { ...state.messages[0], id: "m-more", role: "user" as const, content: "and hurry" };
    const messages = [
      ...state.messages,
      { from_history: false, stop_after_tool_call: false, created_at: 1, ...more },
    ];
    const run = await continueAgent({ ...state, messages }, { confirmed: true }, { agent });
    expect(run.outcome.output.messages?.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
      "user",
      "assistant",
    ]);
    expect(run.outcome.output.content).toContain("and hurry");
  });
});

describe("a run that waits for a person's input", () => {
  const booking = (parts: object = {}) => {
    const seen: unknown[] = [];
    const tool = defineTool({
      name: "book",
      description: "Book a table.",
      parameters: v.object({
        place: v.string(),
        guests: v.pipe(v.number(), v.integer(), v.description("how many come")),
        note: v.optional(v.string()),
      }),
      effect: "once",
      user_input_fields: ["guests"],
      execute: (args) => {
        seen.push(args);
        return `booked for ${args.guests}`;
      },
      ...parts,
    });
    return { tool, seen };
  };

  test("says what it needs to know", async () => {
    const run = await runAgent('[[tool:book {"place":"Olivo"}]]', { agent: agentWith(booking().tool) });
    expect(run.order).toEqual(paused);
    const [call] = run.outcome.output.tools ?? [];
    expect(v.parse(v.strictObject(ToolExecution.entries), call)).toMatchObject({
      requires_user_input: true,
      answered: false,
      user_input_schema: [
        { name: "place", field_type: "str", description: null, value: "Olivo" },
        { name: "guests", field_type: "int", description: "how many come", value: null },
      ],
    });
    const [requirement] = run.outcome.output.requirements ?? [];
    expect(v.parse(v.strictObject(Requirement.entries), requirement)).toMatchObject({
      user_input_schema: call?.user_input_schema,
    });
    expect(run.outcome.output.content).toBe("Waiting for input for book.");
  });

  test("runs the call with what the person has filled in", async () => {
    const { tool, seen } = booking();
    const agent = agentWith(tool);
    const state = await pausedState('[[tool:book {"place":"Olivo"}]]', { agent });
    const schema = [{ name: "guests", field_type: "int", description: null, value: 4 }];
    const run = await continueAgent(state, { answered: true, user_input_schema: schema }, { agent });
    expect(run.order).toEqual(executed);
    expect(seen).toEqual([{ place: "Olivo", guests: 4 }]);
    expect(run.outcome.output.tools).toMatchObject([{ tool_args: { place: "Olivo", guests: 4 } }]);
  });

  test("informs the model when what was filled in does not fit", async () => {
    const { tool, seen } = booking();
    const agent = agentWith(tool);
    const state = await pausedState('[[tool:book {"place":"Olivo"}]]', { agent });
    const schema = [{ name: "guests", field_type: "int", description: null, value: "many" }];
    const run = await continueAgent(state, { answered: true, user_input_schema: schema }, { agent });
    expect(seen).toEqual([]);
    expect(run.order).toContain("ToolCallError");
    expect(run.outcome.output.content).toContain("not valid: guests");
  });

  test("asks for every argument where the tool names none", async () => {
    const tool = { ...booking().tool, requires_user_input: true };
    const { user_input_fields: _, ...all } = tool;
    const run = await runAgent('[[tool:book {"place":"Olivo"}]]', { agent: agentWith(all) });
    const fields = run.outcome.output.tools?.[0]?.user_input_schema?.map(({ name }) => name);
    expect(fields).toEqual(["place", "guests", "note"]);
  });

  test("does not pause for the model's own mistake", async () => {
    const run = await runAgent('[[tool:book {"place":7}]]', { agent: agentWith(booking().tool) });
    expect(run.outcome).toMatchObject({
      status: "COMPLETED",
      output: { tools: [{ tool_call_error: true }] },
    });
  });

  test("leaves what a person fills in out of what the model is shown", () => {
    const { properties, required } = shownParameters(booking().tool);
    expect(Object.keys(properties ?? {})).toEqual(["place", "note"]);
    expect(required).toEqual(["place"]);
  });
});

describe("a run whose call is executed elsewhere", () => {
  const elsewhere = (parts: object = {}) =>
    defineTool({
      name: "add",
      description: "Add two numbers somewhere else.",
      parameters: v.object({ a: v.number(), b: v.number() }),
      effect: "once",
      external_execution: true,
      ...parts,
    });

  test("waits for the result", async () => {
    const run = await runAgent(adding, { agent: agentWith(elsewhere()) });
    expect(run.order).toEqual(paused);
    expect(run.outcome.output.tools).toMatchObject([
      { external_execution_required: true, external_execution_silent: null, result: null },
    ]);
    expect(run.outcome.output.content).toBe("Waiting for the result of add.");
  });

  test("continues with the result, without events of a call", async () => {
    const agent = agentWith(elsewhere());
    const run = await continueAgent(await pausedState(adding, { agent }), { result: "five" }, { agent });
    expect(run.order).toEqual(notExecuted);
    expect(run.outcome.output).toMatchObject({ status: "COMPLETED", content: "five" });
    expect(run.outcome.output.messages?.at(-2)).toMatchObject({ role: "tool", content: "five" });
  });

  test("says nothing in words where it is to be silent", async () => {
    const agent = agentWith(elsewhere({ external_execution_silent: true }));
    const run = await runAgent(adding, { agent });
    expect(run.outcome.output.tools).toMatchObject([{ external_execution_silent: true }]);
    expect(run.outcome.output).not.toHaveProperty("content");
    expect(eventsOf(run, "RunPaused")[0]).not.toHaveProperty("content");
  });
});

describe("a run that asks its user", () => {
  const asking =
    '[[tool:ask_user {"questions":[{"question":"Which size?","header":"Size","options":[{"label":"S"},{"label":"L","description":"large"}]}]}]]';

  test("shows the questions with their options", async () => {
    const run = await runAgent(asking, { agent: agentWith(askUser) });
    expect(run.order).toEqual(paused);
    const expected = [
      {
        question: "Which size?",
        header: "Size",
        multi_select: false,
        selected_options: null,
        options: [
          { label: "S", description: null, selected: false },
          { label: "L", description: "large", selected: false },
        ],
      },
    ];
    expect(run.outcome.output.tools?.[0]).toMatchObject({ answered: false, user_feedback_schema: expected });
    expect(run.outcome.output.requirements?.[0]?.user_feedback_schema).toEqual(expected);
  });

  test("continues with the answers as the call's result", async () => {
    const agent = agentWith(askUser);
    const state = await pausedState(asking, { agent });
    const questions = state.tools[0]?.user_feedback_schema ?? [];
    const schema = questions.map((question) => ({ ...question, selected_options: ["L"] }));
    const run = await continueAgent(state, { answered: true, user_feedback_schema: schema }, { agent });
    expect(run.order).toEqual(notExecuted);
    expect(JSON.parse(run.outcome.output.tools?.[0]?.result ?? "")).toEqual([
      { question: "Which size?", selected_options: ["L"] },
    ]);
  });
});

describe("a tool that needs an approval", () => {
  test("asks for a confirmation where it asks nothing else, and says which kind it is", async () => {
    const { tool } = aTool({ approval_type: "required" });
    const run = await runAgent(adding, { agent: agentWith(tool) });
    expect(run.outcome.output.tools).toMatchObject([
      { requires_confirmation: true, approval_type: "required", approval_id: expect.any(String) },
    ]);
  });
});

describe("a batch of calls of which one waits for a person", () => {
  test("runs none before the answer, and all of them after it", async () => {
    const gated = aTool({ name: "gated", requires_confirmation: true });
    const free = aTool({ name: "free" });
    const agent = agentWith(gated.tool, free.tool);
    const state = await pausedState(adding, { agent: agentWith({ ...gated.tool, name: "add" }) });
    const [call] = state.tools;
    const [user, asked] = state.messages;
    if (!call || !user || !asked?.tool_calls?.[0]) throw new Error("nothing was asked");
    const toolCall = asked.tool_calls[0];
    const named = (id: string, name: string) => ({
      ...toolCall,
      id,
      function: { ...toolCall.function, name },
    });
    const batch = {
      ...state,
      messages: [user, { ...asked, tool_calls: [named("c1", "gated"), named("c2", "free")] }],
      tools: [
        { ...call, tool_call_id: "c1", tool_name: "gated" },
        { ...call, tool_call_id: "c2", tool_name: "free", requires_confirmation: null },
      ],
    };
    const still = await continueAgent(batch, {}, { agent });
    expect(still.outcome.status).toBe("PAUSED");
    expect([...gated.seen, ...free.seen]).toEqual([]);
    const tools = batch.tools.map((one) => (one.tool_call_id === "c1" ? { ...one, confirmed: true } : one));
    const run = await continueAgent({ ...batch, tools }, {}, { agent });
    expect([gated.seen.length, free.seen.length]).toEqual([1, 1]);
    expect(run.outcome.output.messages?.map(({ tool_name }) => tool_name)).toEqual([
      undefined,
      undefined,
      "gated",
      "free",
      undefined,
    ]);
  });
});

describe("a tool whose result is the answer", () => {
  test("ends the run without another word of the model", async () => {
    const { tool } = aTool({ stop_after_tool_call: true });
    const run = await runAgent(adding, { agent: agentWith(tool) });
    expect(run.order).toEqual([
      "RunStarted",
      "ModelRequestStarted",
      "ModelRequestCompleted",
      "ToolCallStarted",
      "ToolCallCompleted",
      "RunContent",
      "RunContentCompleted",
      "RunCompleted",
    ]);
    expect(run.outcome.output).toMatchObject({ status: "COMPLETED", content: "5" });
  });

  test("is shown to the model when it failed", async () => {
    const { tool } = aTool({
      stop_after_tool_call: true,
      execute: () => {
        throw new Error("no");
      },
    });
    const run = await runAgent(adding, { agent: agentWith(tool) });
    expect(eventsOf(run, "ModelRequestStarted")).toHaveLength(2);
  });
});

describe("a tool that takes too long", () => {
  test("counts as failed, and its signal says so", async () => {
    let receivedSignal: AbortSignal | undefined;
    const { tool } = aTool({
      timeout_seconds: 0.02,
      execute: (_args, { signal }) => {
        receivedSignal = signal;
        return new Promise(() => undefined);
      },
    });
    const run = await runAgent(adding, { agent: agentWith(tool) });
    expect(receivedSignal?.aborted).toBe(true);
    expect(run.outcome.output).toMatchObject({
      status: "COMPLETED",
      content: "The tool did not answer within 0.02 seconds.",
    });
  });

  test("needs a new approval where it is in doubt: the old one was for the first start", async () => {
    const { tool } = aTool({
      effect: "once",
      approval_type: "required",
      timeout_seconds: 0.02,
      execute: () => new Promise(() => undefined),
    });
    const agent = agentWith(tool);
    const approved = { confirmed: true, approval_id: "approval-1" };
    const run = await continueAgent(await pausedState(adding, { agent }), approved, { agent });
    expect(run.outcome.output.tools).toMatchObject([
      { in_doubt: 1, confirmed: null, approval_id: expect.not.stringMatching("approval-1") },
    ]);
  });

  test("leaves a call in doubt that must not happen twice", async () => {
    const { tool } = aTool({
      effect: "once",
      timeout_seconds: 0.02,
      execute: () => new Promise(() => undefined),
    });
    const run = await runAgent(adding, { agent: agentWith(tool) });
    expect(run.outcome.output).toMatchObject({
      status: "PAUSED",
      content: "Waiting for a decision whether to repeat add.",
      tools: [{ requires_confirmation: true, confirmed: null, in_doubt: 1 }],
      requirements: [{ confirmation_note: expect.stringContaining("may have happened") }],
    });
  });
});

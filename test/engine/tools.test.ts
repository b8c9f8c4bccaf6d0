import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { Requirement, ToolExecution } from "../../shared/schemas/runs/run.ts";
import { anAgent, aTool, eventsOf, runAgent, START_SECONDS } from "./support/run-agent.ts";

const adding = '[[tool:add {"a":2,"b":3}]]';

const beforeTool = ["RunStarted", "ModelRequestStarted", "ModelRequestCompleted", "ToolCallStarted"];
const afterTool = [
  "ModelRequestStarted",
  "RunContent",
  "ModelRequestCompleted",
  "RunContentCompleted",
  "RunCompleted",
];

describe("a run with a tool call", () => {
  test("sends its events in the order of the wire and answers with the result", async () => {
    const run = await runAgent(adding, { agent: anAgent({ tools: [aTool().tool] }) });
    expect(run.order).toEqual([...beforeTool, "ToolCallCompleted", ...afterTool]);
    expect(run.outcome.output).toMatchObject({ status: "COMPLETED", content: "5" });
  });

  test("shows the call with all its keys, before and after", async () => {
    const run = await runAgent(adding, { agent: anAgent({ tools: [aTool().tool] }) });
    const [started] = eventsOf(run, "ToolCallStarted");
    const [completed] = eventsOf(run, "ToolCallCompleted");
    expect(v.parse(v.strictObject(ToolExecution.entries), started?.tool)).toMatchObject({
      tool_call_id: "call_1",
      tool_name: "add",
      tool_args: { a: 2, b: 3 },
      result: null,
      tool_call_error: null,
      metrics: null,
    });
    expect(completed?.tool).toMatchObject({ result: "5", tool_call_error: false });
    expect(completed?.tool.metrics?.duration).toBeCloseTo(0.01);
    expect(completed?.content).toBe("add(a=2, b=3) completed in 0.0100s.");
    expect(run.outcome.output.tools).toEqual([completed?.tool]);
  });

  test("shows the conversation as the wire shows it", async () => {
    const run = await runAgent(adding, { agent: anAgent({ tools: [aTool().tool] }) });
    const [, asked, answered] = run.outcome.output.messages ?? [];
    expect(asked).toMatchObject({
      role: "assistant",
      tool_calls: [{ id: "call_1", type: "function", function: { name: "add", arguments: '{"a":2,"b":3}' } }],
    });
    expect(asked).not.toHaveProperty("content");
    expect(answered).toMatchObject({
      role: "tool",
      content: "5",
      tool_call_id: "call_1",
      tool_name: "add",
      tool_args: { a: 2, b: 3 },
      tool_call_error: false,
      created_at: START_SECONDS,
    });
  });

  test("shows the tool who calls, with a key that names the call everywhere", async () => {
    const { tool, seen } = aTool();
    await runAgent(adding, { agent: anAgent({ tools: [tool] }) });
    expect(seen).toEqual([
      {
        args: { a: 2, b: 3 },
        context: {
          run_id: "run-1",
          secrets: {},
          session_id: "session-1",
          user_id: "maria",
          agent_id: "helper",
          session_state: {},
          dependencies: {},
          metadata: {},
          parameters: {},
          tool_call_id: "call_1",
          idempotency_key: "run-1:call_1",
        },
      },
    ]);
  });

  test("may call tools several times, one step each", async () => {
    const run = await runAgent('[[tool:add {"a":1,"b":1}]][[tool:add {"a":2,"b":2}]]', {
      agent: anAgent({ tools: [aTool().tool] }),
    });
    expect(run.outcome.output.content).toBe("2\n4");
    expect(run.outcome.output.tools?.map(({ tool_call_id }) => tool_call_id)).toEqual(["call_1", "call_2"]);
    expect(eventsOf(run, "ModelRequestStarted")).toHaveLength(3);
  });

  test("shows the model a result that is no text as JSON", async () => {
    const { tool } = aTool({ execute: () => ({ sum: [1, 2] }) });
    const nothing = aTool({ name: "nothing", execute: () => undefined });
    const run = await runAgent(`${adding}[[tool:nothing {"a":1,"b":1}]]`, {
      agent: anAgent({ tools: [tool, nothing.tool] }),
    });
    expect(run.outcome.output.tools?.map(({ result }) => result)).toEqual(['{"sum":[1,2]}', "null"]);
  });
});

describe("a tool call that fails", () => {
  const failing = (message: string) =>
    aTool({
      execute: () => {
        throw new Error(message);
      },
    }).tool;

  test("is shown to the model, and the run continues", async () => {
    const run = await runAgent(adding, { agent: anAgent({ tools: [failing("out of numbers")] }) });
    expect(run.order).toEqual([...beforeTool, "ToolCallCompleted", "ToolCallError", ...afterTool]);
    expect(eventsOf(run, "ToolCallError")[0]).toMatchObject({
      error: "out of numbers",
      tool: { tool_call_error: true, result: "out of numbers" },
    });
    expect(run.outcome.output).toMatchObject({ status: "COMPLETED", content: "out of numbers" });
    expect(run.outcome.output.messages?.[2]).toMatchObject({ role: "tool", tool_call_error: true });
  });

  test("is reported to the operator: where it happened, and not what was said", async () => {
    const received: unknown[] = [];
    const tools = [failing("no numbers for maria")];
    await runAgent(adding, { agent: anAgent({ tools }), warn: (...line) => void received.push(line) });
    const here = expect.stringMatching(/^test\/engine\/tools\.test\.ts:\d+:\d+$/);
    const fields = { run_id: "run-1", tool_name: "add", error_type: "Error", at: expect.any(Array) };
    expect(received).toEqual([["a tool failed", fields]]);
    expect(received).toMatchObject([[expect.anything(), { at: expect.arrayContaining([here]) }]]);
  });

  test.each([
    [
      "names no tool",
      '[[tool:sing {"a":2,"b":3}]]',
      "There is no tool named sing. Its nearest names are: add.",
    ],
    [
      "has arguments that are no JSON",
      "[[tool:add two and three]]",
      "The arguments of add are not a JSON object that can be kept.",
    ],
    [
      "has arguments that are no object",
      "[[tool:add [2,3]]]",
      "The arguments of add are not a JSON object that can be kept.",
    ],
    [
      "has arguments that no item can hold",
      '[[tool:add {"a":2,"b":1e300}]]',
      "The arguments of add are not a JSON object that can be kept.",
    ],
    [
      "has arguments of another shape",
      '[[tool:add {"a":2,"b":"x"}]]',
      "The arguments of add are not valid: b: ",
    ],
  ])("because it %s never reaches the tool", async (_, script, error) => {
    const { tool, seen } = aTool();
    const run = await runAgent(script, { agent: anAgent({ tools: [tool] }) });
    expect(seen).toEqual([]);
    expect(eventsOf(run, "ToolCallError")[0]?.error).toContain(error);
    expect(run.outcome.status).toBe("COMPLETED");
  });
});

describe("a tool that needs confirmation", () => {
  const gated = () => aTool({ requires_confirmation: true });

  test("is not called: the run pauses and says what it waits for", async () => {
    const { tool, seen } = gated();
    const run = await runAgent(adding, { agent: anAgent({ tools: [tool] }) });
    expect(seen).toEqual([]);
    expect(run.order).toEqual([
      "RunStarted",
      "ModelRequestStarted",
      "ModelRequestCompleted",
      "RunContentCompleted",
      "RunPaused",
    ]);
    const { output } = run.outcome;
    expect(output).toMatchObject({ status: "PAUSED", content: "Waiting for confirmation of add." });
    expect(output.tools).toMatchObject([{ requires_confirmation: true, confirmed: null, result: null }]);
    expect(eventsOf(run, "RunPaused")[0]).toMatchObject({
      content: output.content,
      tools: output.tools,
      requirements: output.requirements,
    });
  });

  test("makes a requirement that holds the call", async () => {
    const { outcome } = await runAgent(adding, { agent: anAgent({ tools: [gated().tool] }) });
    const [requirement] = outcome.output.requirements ?? [];
    expect(v.parse(v.strictObject(Requirement.entries), requirement)).toEqual(requirement);
    expect(requirement?.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/);
    expect(requirement?.tool_execution).toEqual(outcome.output.tools?.[0]);
  });

  test("does not pause for arguments that it would refuse", async () => {
    const { tool } = gated();
    const { outcome } = await runAgent('[[tool:add {"a":1}]]', { agent: anAgent({ tools: [tool] }) });
    expect(outcome).toMatchObject({ status: "COMPLETED", output: { tools: [{ tool_call_error: true }] } });
  });
});

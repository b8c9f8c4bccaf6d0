import { APICallError } from "@ai-sdk/provider";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { secondsBetween } from "../../shared/engine/run/metrics.ts";
import { executionTimeout, RunStopped } from "../../shared/engine/run/next-step.ts";
import { runOutputEntries } from "../../shared/schemas/runs/run.ts";
import { anAgent, aRequest, aTool, eventsOf, runAgent, START_SECONDS } from "./support/run-agent.ts";

const plainOrder = [
  "RunStarted",
  "ModelRequestStarted",
  "RunContent",
  "ModelRequestCompleted",
  "RunContentCompleted",
  "RunCompleted",
];

describe("a plain run", () => {
  test("sends its events in the order of the wire", async () => {
    const run = await runAgent("Hello there, how are you");
    expect(run.order).toEqual(plainOrder);
    expect(eventsOf(run, "RunContent").length).toBeGreaterThan(1);
  });

  test("has the deltas, joined, as its content", async () => {
    const run = await runAgent("Hello there, how are you");
    const deltas = eventsOf(run, "RunContent").map(({ content }) => content);
    expect(deltas.join("")).toBe("You said: Hello there, how are you");
    expect(run.outcome.output.content).toBe(deltas.join(""));
    expect(eventsOf(run, "RunCompleted")[0]?.content).toBe(deltas.join(""));
  });

  test("puts the fields that every event carries on every event, and no null", async () => {
    const { events } = await runAgent("Hello");
    for (const event of events) {
      expect(event).toMatchObject({
        agent_id: "helper",
        agent_name: "Helper",
        run_id: "run-1",
        session_id: "session-1",
        nested_depth: 0,
        created_at: START_SECONDS,
      });
      expect(Object.values(event)).not.toContain(null);
    }
  });

  test("gives the run as the wire shows it", async () => {
    const agent = anAgent({ instructions: "Be kind." });
    const request = aRequest("Hello", { metadata: { ticket: 7 }, session_state: { seen: 1 } });
    const { outcome } = await runAgent("", { agent, request });
    expect(outcome.status).toBe("COMPLETED");
    expect(v.parse(v.strictObject(runOutputEntries), outcome.output)).toEqual(outcome.output);
    expect(outcome.output).toMatchObject({
      run_id: "run-1",
      session_id: "session-1",
      user_id: "maria",
      agent_id: "helper",
      agent_name: "Helper",
      input: { input_content: "Hello" },
      content: "You said: Hello",
      content_type: "str",
      model: "scripted-1",
      model_provider: "Scripted",
      tools: [],
      metadata: { ticket: 7 },
      session_state: { seen: 1 },
      created_at: START_SECONDS,
      status: "COMPLETED",
    });
    expect(outcome.output.messages).toMatchObject([
      { id: "id-1", role: "system", content: "Be kind.", from_history: false, created_at: START_SECONDS },
      { id: "id-2", role: "user", content: "Hello" },
      {
        id: "id-3",
        role: "assistant",
        content: "You said: Hello",
        metrics: { input_tokens: 3, output_tokens: 3 },
      },
    ]);
  });

  test("counts tokens and times, and leaves out what is zero", async () => {
    const { outcome } = await runAgent("one two three");
    const { metrics } = outcome.output;
    expect(metrics).toMatchObject({ input_tokens: 3, output_tokens: 5, total_tokens: 8 });
    expect(metrics?.duration).toBeGreaterThan(metrics?.time_to_first_token ?? Number.POSITIVE_INFINITY);
    expect(metrics).not.toHaveProperty("reasoning_tokens");
    expect(metrics?.details).toEqual({
      model: [{ id: "scripted-1", provider: "Scripted", input_tokens: 3, output_tokens: 5, total_tokens: 8 }],
    });
  });

  test("never says that something took no time: what is faster than the clock counts a millisecond", () => {
    expect([secondsBetween(5, 5), secondsBetween(5, 6), secondsBetween(5, 1_505)]).toEqual([
      0.001, 0.001, 1.5,
    ]);
  });

  test("leaves the user out when none is named", async () => {
    const { outcome } = await runAgent("", { request: aRequest("Hello", { user_id: null }) });
    expect(outcome.output).not.toHaveProperty("user_id");
    expect(outcome.output).not.toHaveProperty("metadata");
    expect(outcome.output).not.toHaveProperty("requirements");
  });
});

describe("a model error", () => {
  test("ends the run with its text, and without a RunCompleted", async () => {
    const run = await runAgent("[[fail:the oracle is silent]]");
    expect(run.order).toEqual(["RunStarted", "ModelRequestStarted", "RunError"]);
    expect(eventsOf(run, "RunError")[0]?.content).toBe("the oracle is silent");
    expect(run.outcome).toMatchObject({
      status: "ERROR",
      cause: "model",
      error: "the oracle is silent",
      thrown: expect.any(APICallError),
      output: { status: "ERROR", content: "the oracle is silent" },
    });
  });

  test("after a tool call keeps what the run did before it", async () => {
    const { tool } = aTool();
    const { outcome } = await runAgent('[[tool:add {"a":1,"b":2}]][[fail:gone]]', {
      agent: anAgent({ tools: [tool] }),
    });
    expect(outcome).toMatchObject({
      status: "ERROR",
      output: { tools: [{ tool_name: "add", result: "3" }] },
    });
    expect(outcome.output.messages?.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
  });

  test("names a model that is not configured instead of calling another", async () => {
    const { outcome } = await runAgent("Hello", { agent: anAgent({ model: "openai:gpt-5" }) });
    expect(outcome).toMatchObject({
      status: "ERROR",
      cause: "internal",
      error: "no key for OpenAI is configured",
    });
    expect(outcome.output).toMatchObject({ model: "gpt-5", model_provider: "OpenAI" });
  });
});

describe("a stop from outside", () => {
  const stopAt = (event: string, reason: RunStopped) => {
    const controller = new AbortController();
    let seen = 0;
    return {
      signal: controller.signal,
      onEvent: (sent: { event: string }) => {
        if (sent.event === event && ++seen === 2) controller.abort(reason);
      },
      now: () => controller.abort(reason),
    };
  };
  const cancelled = new RunStopped("cancelled", "Cancelled on request.");

  test("cancels while streaming: the partial text stays, RunCancelled comes before RunCompleted", async () => {
    const { signal, onEvent } = stopAt("RunContent", cancelled);
    const run = await runAgent("[[tokens:1000]]", { signal, onEvent });
    expect(run.order).toEqual([
      "RunStarted",
      "ModelRequestStarted",
      "RunContent",
      "RunCancelled",
      "RunCompleted",
    ]);
    expect(eventsOf(run, "RunContent")).toHaveLength(2);
    expect(eventsOf(run, "RunCancelled")[0]).toMatchObject({
      content: "word1 word2",
      reason: "Cancelled on request.",
    });
    expect(run.outcome).toMatchObject({
      status: "CANCELLED",
      output: { status: "CANCELLED", content: "word1 word2" },
    });
    expect(run.outcome.output.messages?.at(-1)).toMatchObject({ role: "assistant", content: "word1 word2" });
  });

  test("cancels before the first step: nothing is called, the reason is the content", async () => {
    const { outcome, order } = await runAgent("Hello", { signal: AbortSignal.abort(cancelled) });
    expect(order).toEqual(["RunStarted", "RunCancelled", "RunCompleted"]);
    expect(outcome.output).toMatchObject({ status: "CANCELLED", content: "Cancelled on request." });
  });

  test("cancels while the model is silent", async () => {
    const stop = stopAt("", cancelled);
    const onEvent = ({ event }: { event: string }) => {
      if (event === "ModelRequestStarted") setImmediate(stop.now);
    };
    const { outcome } = await runAgent("[[sleep:3600000]]", { signal: stop.signal, onEvent });
    expect(outcome.status).toBe("CANCELLED");
  });

  test("cancels while a tool ignores its signal; calls that finished keep their result", async () => {
    const stop = stopAt("", cancelled);
    const stuck = aTool({ name: "stuck", execute: () => new Promise(() => setImmediate(stop.now)) });
    const quick = aTool();
    const run = await runAgent('[[tool:add {"a":1,"b":2}]][[tool:stuck {"a":1,"b":2}]]', {
      agent: anAgent({ tools: [quick.tool, stuck.tool] }),
      signal: stop.signal,
    });
    expect(run.outcome.output).toMatchObject({
      status: "CANCELLED",
      tools: [
        { tool_name: "add", result: "3" },
        { tool_name: "stuck", result: null },
      ],
    });
    expect(eventsOf(run, "ToolCallCompleted").map(({ tool }) => tool.tool_name)).toEqual(["add"]);
    expect(run.order.slice(-2)).toEqual(["RunCancelled", "RunCompleted"]);
  });

  test("by the timeout is an error that says so", async () => {
    const { signal, onEvent } = stopAt("RunContent", executionTimeout(3600));
    const run = await runAgent("[[tokens:1000]]", { signal, onEvent });
    expect(run.outcome).toMatchObject({ status: "ERROR", cause: "timeout" });
    expect(run.outcome.output.content).toBe("The run reached its execution timeout of 3600 seconds.");
    expect(run.order.at(-1)).toBe("RunError");
  });

  test("because the run was lost throws, and sends no last event", async () => {
    const lost = new RunStopped("lost", "another worker has it");
    const { signal, onEvent } = stopAt("RunContent", lost);
    const sent: string[] = [];
    const running = runAgent("[[tokens:1000]]", {
      signal,
      onEvent: (event) => {
        sent.push(event.event);
        onEvent(event);
      },
    });
    await expect(running).rejects.toBe(lost);
    expect(sent).toEqual(["RunStarted", "ModelRequestStarted", "RunContent", "RunContent"]);
  });

  test("with any other reason is a defect and thrown as it is", async () => {
    const reason = new Error("not a stop");
    await expect(runAgent("Hello", { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});

import type { Message, ToolExecution } from "../schemas/run.ts";
import type { Execution } from "./execution.ts";
import { secondsBetween } from "./metrics.ts";
import { newMessage } from "./new-message.ts";
import { planToolCall, type ToolCallPlan } from "./plan-tool-call.ts";
import { pendingTools, type RunState } from "./run-state.ts";
import { untilStopped } from "./until-stopped.ts";

/**
 * Runs the pending tool calls of a run side by side. Their results enter the conversation in the order the model
 * asked for them. Calls that a stop cuts off stay pending.
 */
export async function runTools(state: RunState, execution: Execution): Promise<RunState> {
  const finished = await Promise.all(pendingTools(state).map((call) => runTool(call, state, execution)));
  const byId = new Map(finished.flatMap((call) => (call ? [[call.tool_call_id, call]] : [])));
  return {
    ...state,
    tools: state.tools.map((call) => byId.get(call.tool_call_id) ?? call),
    messages: behindTheirCalls(
      state.messages,
      [...byId.values()].map((call) => toolMessage(call, execution)),
    ),
  };
}

/** Results stand right after the turn that asked for them, also where somebody has written something since. */
function behindTheirCalls(messages: readonly Message[], results: readonly Message[]): Message[] {
  const at = messages.findLastIndex(({ role }) => role !== "user") + 1;
  return [...messages.slice(0, at), ...results, ...messages.slice(at)];
}

/** @returns undefined when the run was stopped before the tool answered */
async function runTool(
  call: ToolExecution,
  state: RunState,
  execution: Execution,
): Promise<ToolExecution | undefined> {
  const { emit, ports } = execution;
  if (call.confirmed === false) return { ...call, result: call.confirmation_note ?? REFUSED };
  // Somebody else has executed it and sent the result.
  if (call.result !== null) return call;
  emit({ event: "ToolCallStarted", tool: call });
  const startMs = ports.clock.now();
  const answer = await answerOf(call, state, execution);
  if (!answer) return undefined;
  const metrics = toolMetrics(startMs, ports.clock.now());
  const done = { ...call, result: answer.text, tool_call_error: answer.failed, metrics };
  emit({ event: "ToolCallCompleted", tool: done, content: summary(done, metrics.duration) });
  if (answer.failed) emit({ event: "ToolCallError", tool: done, error: answer.text });
  return done;
}

type ToolAnswer = { readonly text: string; readonly failed: boolean };

/** A tool's failure is an answer like any other: the model reads it and goes on. */
async function answerOf(
  call: ToolExecution,
  state: RunState,
  execution: Execution,
): Promise<ToolAnswer | undefined> {
  const { signal } = execution.ports;
  const plan = planToolCall(
    execution.agent,
    call.tool_name,
    argumentsText(call, state),
    state.tools.indexOf(call),
  );
  if (!plan.runs) return { text: plan.reason, failed: true };
  try {
    const value = await untilStopped(execute(plan, call, execution), signal);
    return { text: resultText(value), failed: false };
  } catch (error) {
    if (signal.aborted) return undefined;
    return { text: error instanceof Error ? error.message : String(error), failed: true };
  }
}

async function execute(
  { tool, args }: Extract<ToolCallPlan, { runs: true }>,
  { tool_call_id }: ToolExecution,
  { agent, request, ports }: Execution,
): Promise<unknown> {
  const { run_id, session_id, user_id } = request;
  return tool.execute(args, {
    run_id,
    session_id,
    user_id,
    agent_id: agent.id,
    tool_call_id,
    idempotency_key: `${run_id}:${tool_call_id}`,
    signal: ports.signal,
  });
}

/** What the model wrote, so that arguments which are not even JSON are refused and not taken for none. */
function argumentsText(call: ToolExecution, state: RunState): string {
  if (call.answered && call.user_input_schema) {
    const answers = call.user_input_schema.map(({ name, value }) => [String(name), value]);
    return JSON.stringify({ ...call.tool_args, ...Object.fromEntries(answers) });
  }
  const asked = state.messages
    .filter((message) => !message.from_history)
    .flatMap((message) => message.tool_calls ?? [])
    .find(({ id }) => id === call.tool_call_id);
  return asked?.function.arguments ?? JSON.stringify(call.tool_args);
}

const REFUSED = "A person refused this call; it was not executed.";

const resultText = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "null");

/** Instants in epoch seconds with fractions, duration in seconds. @source contract, runs-and-queue 4.6 */
const toolMetrics = (startMs: number, endMs: number) => ({
  start_time: startMs / 1000,
  end_time: endMs / 1000,
  duration: secondsBetween(startMs, endMs),
});

function summary({ tool_name, tool_args, tool_call_error }: ToolExecution, seconds: number): string {
  const args = Object.entries(tool_args).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return `${tool_name}(${args.join(", ")}) ${tool_call_error ? "failed" : "completed"} in ${seconds.toFixed(4)}s.`;
}

function toolMessage(call: ToolExecution, { ports }: Execution): Message {
  return newMessage(
    {
      role: "tool",
      content: call.result ?? "",
      tool_call_id: call.tool_call_id,
      tool_name: call.tool_name,
      tool_args: call.tool_args,
      tool_call_error: call.tool_call_error === true,
    },
    ports,
  );
}

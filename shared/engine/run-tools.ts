import type { Message, ToolExecution } from "../schemas/run.ts";
import { admitCall } from "./admit-call.ts";
import { answerByPerson } from "./answer-by-person.ts";
import { callTool } from "./call-tool.ts";
import type { Execution } from "./execution.ts";
import { ledgerKey } from "./ledger-key.ts";
import { secondsBetween } from "./metrics.ts";
import { newMessage } from "./new-message.ts";
import { parseArguments } from "./parse-arguments.ts";
import { planToolCall, type ToolCallPlan } from "./plan-tool-call.ts";
import { pendingTools, type RunState } from "./run-state.ts";
import type { ToolAnswer } from "./tool-ledger.ts";

/**
 * Settles the pending tool calls of a run side by side. Their results enter the conversation in the order the model
 * asked for them. Calls that a stop cuts off stay pending; one that may have happened before waits for a person.
 */
export async function runTools(state: RunState, execution: Execution): Promise<RunState> {
  const calls = await Promise.all(pendingTools(state).map((call) => settle(call, state, execution)));
  const byId = new Map(calls.map((call) => [call.tool_call_id, call]));
  const settled = calls.filter(({ result }) => result !== null);
  const answer = settled
    .filter(isAnswer)
    .map(({ result }) => result)
    .join("\n"); // a result is text by now
  if (answer !== "") {
    execution.emit({
      event: "RunContent",
      content: answer,
      content_type: "str",
      workflow_agent: false,
      reasoning_content: "",
    });
  }
  return {
    ...state,
    content: state.content + answer,
    tools: state.tools.map((call) => byId.get(call.tool_call_id) ?? call),
    messages: behindTheirCalls(
      state.messages,
      settled.map((call) => toolMessage(call, execution)),
    ),
  };
}

/** @decided  A failure is no answer, also of a tool whose result is the answer: the model is told and may do better. */
const isAnswer = (call: ToolExecution): boolean => call.stop_after_tool_call && call.tool_call_error !== true;

/** Results stand right after the turn that asked for them, also where somebody has written something since. */
function behindTheirCalls(messages: readonly Message[], results: readonly Message[]): Message[] {
  const at = messages.findLastIndex(({ role }) => role !== "user") + 1;
  return [...messages.slice(0, at), ...results, ...messages.slice(at)];
}

/** @returns the call with its result; without one where it stays pending */
async function settle(call: ToolExecution, state: RunState, execution: Execution): Promise<ToolExecution> {
  const known = answerByPerson(call);
  if (known) {
    await noteRefusedRepeat(call, known, state, execution);
    return { ...call, result: known.text, tool_call_error: known.failed };
  }
  const filledIn = withInput(call);
  const plan = planOf(filledIn, state, execution);
  if (!plan.runs) return tellCall(filledIn, { text: plan.reason, failed: true }, execution);
  return runPlanned(filledIn, plan, execution);
}

async function runPlanned(
  call: ToolExecution,
  plan: Extract<ToolCallPlan, { runs: true }>,
  execution: Execution,
): Promise<ToolExecution> {
  const { ledger, signal } = execution.ports;
  const { effect } = plan.tool;
  if (signal.aborted) return call; // before it is entered in the ledger, where it would look like a call in doubt
  const key = ledgerKey(call.tool_call_id, plan.tool, plan.args);
  const admission = await admitCall(call, key, effect, ledger);
  if (admission.may === "ask") return inDoubt(call, admission.starts);
  if (admission.may === "reuse") return tellCall(call, admission.answer, execution);
  const tell = startTelling(call, execution);
  const called = await callTool(plan, call, execution);
  if (called.ended === "stopped") return call;
  if (called.ended === "timed_out" && effect === "once") return inDoubt(call, admission.starts);
  if (effect !== "safe") await ledger?.end(key, called.answer);
  return tell(called.answer);
}

/** The call waits for a person, whatever one has said, or approved, about an earlier start. */
const inDoubt = (call: ToolExecution, starts: number): ToolExecution => ({
  ...call,
  in_doubt: starts,
  requires_confirmation: true,
  confirmed: null,
  confirmation_note: null,
  approval_id: null,
});

/** What a person says of a call in doubt is its end: nobody is asked about it again. */
async function noteRefusedRepeat(
  call: ToolExecution,
  answer: ToolAnswer,
  state: RunState,
  execution: Execution,
): Promise<void> {
  if (call.in_doubt === undefined) return;
  const filledIn = withInput(call);
  const plan = planOf(filledIn, state, execution);
  if (plan.runs) {
    await execution.ports.ledger?.end(ledgerKey(call.tool_call_id, plan.tool, plan.args), answer);
  }
}

function planOf(call: ToolExecution, state: RunState, execution: Execution): ToolCallPlan {
  const position = state.tools.findIndex(({ tool_call_id }) => tool_call_id === call.tool_call_id);
  return planToolCall(execution, call.tool_name, argumentsOf(call, state), position);
}

/** The arguments with what a person has filled in. */
function withInput(call: ToolExecution): ToolExecution {
  const given = (call.user_input_schema ?? []).filter(({ value }) => value !== null && value !== undefined);
  if (given.length === 0) return call;
  const values = Object.fromEntries(given.map(({ name, value }) => [String(name), value]));
  return { ...call, tool_args: { ...call.tool_args, ...values } };
}

/** @returns undefined where the model wrote something that is no JSON object, and so has no arguments at all */
function argumentsOf(call: ToolExecution, state: RunState): Record<string, unknown> | undefined {
  const asked = state.messages
    .filter((message) => !message.from_history)
    .flatMap((message) => message.tool_calls ?? [])
    .find(({ id }) => id === call.tool_call_id);
  if (asked && !parseArguments(asked.function.arguments)) return undefined;
  return call.tool_args;
}

/** Tells a call that is answered already. */
const tellCall = (call: ToolExecution, answer: ToolAnswer, execution: Execution): ToolExecution =>
  startTelling(call, execution)(answer);

/** Tells that a call starts. @returns tells how it ended, and gives the call with its result */
function startTelling(call: ToolExecution, { emit, ports }: Execution) {
  emit({ event: "ToolCallStarted", tool: call });
  const startMs = ports.clock.now();
  return (answer: ToolAnswer): ToolExecution => {
    const metrics = toolMetrics(startMs, ports.clock.now());
    const done = { ...call, result: answer.text, tool_call_error: answer.failed, metrics };
    emit({ event: "ToolCallCompleted", tool: done, content: summary(done, metrics.duration) });
    if (answer.failed) emit({ event: "ToolCallError", tool: done, error: answer.text });
    return done;
  };
}

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
      stop_after_tool_call: isAnswer(call),
    },
    ports,
  );
}

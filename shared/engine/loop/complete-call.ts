import { createHash } from "node:crypto";
import type { ToolExecution } from "../../schemas/runs/run.ts";
import { canonicalJson } from "../../schemas/values/json-values.ts";
import { offloadResult } from "../context/large-results.ts";
import { parseArguments } from "../model/streamed-answer.ts";
import type { ToolAnswer } from "../ports/engine-ports.ts";
import type { StateView } from "../ports/session-state.ts";
import type { Execution } from "../run/execution.ts";
import type { RunState } from "../run/run-state.ts";
import { traceToolCall } from "../run/trace-run.ts";
import { leadCall } from "../team/lead-call.ts";
import { isTeamTool } from "../team/team-tool.ts";
import { toolParameters } from "../tool/new-tool-call.ts";
import { countedCalls } from "../tool/offload-settings.ts";
import type { Tool } from "../tool/tool.ts";
import { type Batch, emitCall, emitCallStarted, emitCallWaiting, toolMetrics } from "../turn/batch.ts";
import { abandonCall, asKept, waitingCall } from "../turn/call-elsewhere.ts";
import {
  type Admission,
  admitCall,
  answerByPerson,
  callTool,
  type ToolCallOutcome,
} from "../turn/call-tool.ts";
import { guardsOutput, refusalOfAnswer } from "../turn/output-guards.ts";
import { planToolCall, type ToolCallPlan } from "../turn/record-turn.ts";

/**
 * Completes one tool call of a run.
 *
 * @returns the call with its result; without one where it stays pending
 */
export async function completeCall(
  call: ToolExecution,
  batch: Batch,
  execution: Execution,
): Promise<ToolExecution> {
  const completed = await traceToolCall(call, batch.state(), execution, (traced) =>
    complete(call, batch, traced),
  );
  const kept = await offloadResult(completed, execution);
  batch.putCall(kept);
  return kept;
}

async function complete(call: ToolExecution, batch: Batch, execution: Execution): Promise<ToolExecution> {
  const state = batch.state();
  const personal = answerByPerson(call);
  if (personal) {
    if (call.confirmed === false) await abandonCall(call, execution);
    await recordRefusedRepeat(call, personal, state, execution);
    return { ...call, result: personal.text, tool_call_error: personal.failed };
  }
  const filledIn = withInput(call);
  const plan = planOf(filledIn, state, execution);
  if (!plan.runs) return emitCall(filledIn, { text: plan.reason, failed: true }, execution);
  if (isTeamTool(plan.tool)) return leadCall(plan.tool, plan.args, filledIn, batch, execution);
  return runPlanned(filledIn, plan, batch, execution);
}

async function runPlanned(
  call: ToolExecution,
  plan: Extract<ToolCallPlan, { runs: true }>,
  batch: Batch,
  execution: Execution,
): Promise<ToolExecution> {
  const { ledger, signal } = execution.ports;
  const { effect } = plan.tool;
  if (signal.aborted) return call; // before the ledger has an entry, which would look like a call in doubt
  const key = ledgerKey(call, plan.tool, plan.args);
  const admission = admitGoingOn(call, await admitCall(call, key, effect, ledger));
  if (admission.may === "ask") return inDoubt(call, admission.starts);
  const work = `${execution.request.run_id}:${call.tool_call_id}`;
  if (admission.may === "reuse") {
    if (admission.changes) execution.sessionState.restore(work, admission.changes);
    batch.putMedia(call, admission.answer.media);
    return emitCall(call, admission.answer, execution);
  }
  const startMs = execution.ports.clock.now();
  const emitEnd = emitCallStarted(call, execution);
  const { outcome, sessionState, ...called } = await callUntilAnswered(plan, call, work, batch, execution);
  if (outcome.ended === "stopped") return asKept(called.call, batch);
  if (outcome.ended === "waits") {
    const waiting = await waitingCall(called.call, outcome.wait, batch, execution);
    if (outcome.wait.for === "person") emitCallWaiting(waiting, startMs, execution);
    return waiting;
  }
  if (outcome.ended === "timed_out" && effect === "once") return inDoubt(call, admission.starts);
  const answer = await guardedAnswer(outcome.answer, call, batch, execution);
  if (effect !== "safe") await ledger?.end(key, answer, sessionState.changes());
  batch.putMedia(call, answer.media);
  return emitEnd(answer, called.call);
}

/** What goes on at its server is not made again: whoever continues it asks what became of it. */
const admitGoingOn = (call: ToolExecution, admission: Admission): Admission =>
  call.remote_call?.follows && admission.may === "ask" ? { may: "run", starts: admission.starts } : admission;

/** The result of a tool; of one whose result is the run's answer, as far as the guards of the output let it pass. */
async function guardedAnswer(
  answer: ToolAnswer,
  call: ToolExecution,
  batch: Batch,
  execution: Execution,
): Promise<ToolAnswer> {
  if (!call.stop_after_tool_call || answer.failed || !guardsOutput(execution)) return answer;
  try {
    const withheld = await refusalOfAnswer(batch.state().content + answer.text, execution);
    if (!withheld) return answer;
    batch.putWithheld(withheld);
    return { text: withheld.fault.text, failed: false };
  } catch (thrown) {
    if (!execution.ports.signal.aborted) throw thrown;
    return { text: "The run was stopped before its answer was checked.", failed: true };
  }
}

/** The call waits for a person again. An answer or approval for an earlier start does not count. */
const inDoubt = (call: ToolExecution, starts: number): ToolExecution => ({
  ...call,
  in_doubt: starts,
  requires_confirmation: true,
  confirmed: null,
  confirmation_note: null,
  approval_id: null,
});

/** Records the answer to a call in doubt in the ledger, so that the question is not asked again. */
async function recordRefusedRepeat(
  call: ToolExecution,
  answer: ToolAnswer,
  state: RunState,
  execution: Execution,
): Promise<void> {
  if (call.in_doubt === undefined) return;
  const filledIn = withInput(call);
  const plan = planOf(filledIn, state, execution);
  if (plan.runs) {
    await execution.ports.ledger?.end(ledgerKey(call, plan.tool, plan.args), answer);
  }
}

function planOf(call: ToolExecution, state: RunState, execution: Execution): ToolCallPlan {
  const at = state.tools.findIndex(({ tool_call_id }) => tool_call_id === call.tool_call_id);
  const position = countedCalls(execution.agent, state.tools.slice(0, Math.max(0, at)));
  const { args, isCut } = argumentsOf(call, state);
  if (!args && isCut) return { runs: false, reason: CUT_OFF };
  return planToolCall(execution, call.tool_name, args, position);
}

const CUT_OFF =
  "The arguments were cut off at the limit of the output, and the call was not made. Make it again with less in it.";

/** The call with the arguments that a person has filled in. */
function withInput(call: ToolExecution): ToolExecution {
  if (call.remote_call) return call; // what its server has asked, and no argument
  const filled = (call.user_input_schema ?? []).filter(({ value }) => value !== null && value !== undefined);
  if (filled.length === 0) return call;
  const values = Object.fromEntries(filled.map(({ name, value }) => [String(name), value]));
  return { ...call, tool_args: { ...call.tool_args, ...values } };
}

type Arguments = {
  /** Undefined where the model wrote something other than a JSON object: then there are no arguments at all. */
  readonly args: Record<string, unknown> | undefined;
  /** Whether the answer reached the limit of its output. */
  readonly isCut: boolean;
};

function argumentsOf({ tool_call_id, tool_args }: ToolExecution, state: RunState): Arguments {
  const isRequest = ({ id }: { readonly id: string }) => id === tool_call_id;
  const answer = state.messages.find(
    (message) => !message.from_history && message.tool_calls?.some(isRequest),
  );
  const requested = answer?.tool_calls?.find(isRequest);
  const isReadable = !requested || parseArguments(requested.function.arguments) !== undefined;
  return { args: isReadable ? tool_args : undefined, isCut: answer?.finish_reason === "length" };
}

/**
 * The key of a tool call in its run's ledger: its id, and a digest of tool, arguments and the schema that parses them.
 * A call that repeats an id but would do something else is another call.
 */
function ledgerKey(
  { tool_call_id, remote_call }: ToolExecution,
  tool: Tool,
  args: Record<string, unknown>,
): string {
  const content = canonicalJson({ tool: tool.name, args, schema: toolParameters(tool) });
  const digest = createHash("sha256").update(content).digest("base64url");
  // With answers a call is made once more: each round counts by itself.
  const rounds = remote_call && !remote_call.follows ? remote_call.round : 0;
  return `${tool_call_id}#${digest}${rounds > 0 ? `@${rounds}` : ""}`;
}

type Called = {
  readonly outcome: ToolCallOutcome;
  /** With the number of attempts, where there was more than one. */
  readonly call: ToolExecution;
  /** What the last attempt has changed in the session's state. */
  readonly sessionState: StateView;
};

/**
 * Runs a tool's code, again where it fails and the tool allows it. The attempts are counted in the run's state, so that
 * another process does not begin to count again.
 *
 * @param work  names what the call changes in the session's state; an attempt that failed leaves nothing there
 */
async function callUntilAnswered(
  plan: Extract<ToolCallPlan, { runs: true }>,
  begun: ToolExecution,
  work: string,
  batch: Batch,
  execution: Execution,
): Promise<Called> {
  const { clock, signal } = execution.ports;
  const { retries = 0 } = plan.tool;
  let call = begun;
  for (;;) {
    const sessionState = execution.sessionState.open(work);
    const outcome = await callTool(plan, call, batch, execution, sessionState);
    const attempts = call.metrics?.attempts ?? 1;
    if (outcome.ended === "stopped" || outcome.ended === "waits") return { outcome, call, sessionState };
    if (!outcome.answer.failed || attempts > retries) return { outcome, call, sessionState };
    const now = clock.now();
    call = { ...call, metrics: { ...toolMetrics(now, now), attempts: attempts + 1 } };
    batch.putCall(call);
    await batch.saveCheckpoint();
    // An abort that ends the wait ends the next attempt too.
    await clock.sleep(waitBefore(attempts, work), signal).catch(() => undefined);
  }
}

const LONGEST_WAIT_MS = 30_000;

/**
 * Between half of a time that doubles from a second on, and all of it. Where in between follows from the call, so that calls
 * that failed together are not repeated together, and every process waits the same.
 *
 * @param failures  how often the call has failed
 */
export function waitBefore(failures: number, key: string): number {
  const most = Math.min(1000 * 2 ** (failures - 1), LONGEST_WAIT_MS);
  const [byte = 0] = createHash("sha256").update(`${key}#${failures}`).digest();
  return Math.round(most * (0.5 + byte / 510));
}

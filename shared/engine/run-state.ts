import type { OutputMedia } from "../schemas/runs/media.ts";
import type { Message, ToolExecution } from "../schemas/runs/run.ts";
import type { TeamTasks } from "../schemas/runs/team-task.ts";
import { budgetQuestionOf } from "./budget/budget-call.ts";
import { noUsage, type Usage } from "./metrics.ts";
import { hasEnded, type MemberRun, runsOfCall } from "./team/member-run.ts";

/**
 * All that a run is between two steps, as one plain JSON value: whoever holds it can take the next step.
 * Steps return a new state and never change the one they were given.
 */
export type RunState = {
  /** What the model is shown: system, history, user, then what this run added. */
  readonly messages: readonly Message[];
  /** The run's tool calls in the order the model made them; `result` is null until one has run. */
  readonly tools: readonly ToolExecution[];
  /** Files that settled calls gave, by call, until the message with the result carries them. */
  readonly media?: Readonly<Record<string, OutputMedia>>;
  /** Text of the run so far: the deltas of its RunContent events, joined. */
  readonly content: string;
  /** Whether the model was told that its answer has the wrong form; it is told once. */
  readonly corrected?: boolean;
  readonly reasoning_content: string;
  readonly usage: Usage;
  /** The session's state once this run has changed it; until then the one that the run was given counts. */
  readonly session_state?: Readonly<Record<string, unknown>>;
  readonly started_at_ms: number;
  readonly first_token_at_ms: number | null;
  /** Of a team: the runs of its members, in the order in which they began. */
  readonly members?: readonly MemberRun[];
  /** Of a team that works off tasks. */
  readonly tasks?: TeamTasks;
  /** Of a team that was continued: its members go on first, and it has yet to say that it goes on itself. */
  readonly owes_continued?: boolean;
};

/** The state of a run that has not taken a step yet. @param nowMs epoch milliseconds */
export function newRunState(messages: readonly Message[], nowMs: number): RunState {
  return {
    messages,
    tools: [],
    content: "",
    reasoning_content: "",
    usage: noUsage,
    started_at_ms: nowMs,
    first_token_at_ms: null,
  };
}

export type NextStep = "call_model" | "run_tools" | "pause" | "answer";

/**
 * What a run does next. Follows from the state alone, so that any process that holds it decides the same.
 *
 * @decided  A member's run that is under way comes to rest before its team pauses for something else.
 */
export function nextStep(state: RunState): NextStep {
  const pending = pendingTools(state);
  if (pending.some((call) => isUnderWay(call, state))) return "run_tools";
  if (pending.some((call) => waits(call, state))) return "pause";
  if (pending.length > 0) return "run_tools";
  return hasAnswered(state) ? "answer" : "call_model";
}

/** The pending calls that the next batch settles; see `awaitsPerson`. */
export function dueCalls(state: RunState): ToolExecution[] {
  const pending = pendingTools(state);
  const isHeld = pending.some((call) => waits(call, state));
  return pending.filter((call) => (isHeld ? isUnderWay(call, state) : true));
}

/** Whether a person must be asked before anything can become of a call. */
const waits = (call: ToolExecution, state: RunState): boolean =>
  awaitsPerson(call) || (!isUnderWay(call, state) && runsOfCall(state, call).some(isWaiting));

/** Whether a member works on a call, or would if it were let. */
const isUnderWay = (call: ToolExecution, state: RunState): boolean =>
  runsOfCall(state, call).some((run) => !hasEnded(run) && !isWaiting(run));

/** Whether a member's run has said that it waits for a person, and nobody has answered. */
export const isWaiting = ({ state, output }: MemberRun): boolean =>
  output?.status === "PAUSED" && state !== undefined && nextStep(state) === "pause";

/** The model has spoken, or a tool whose result is the answer. */
function hasAnswered({ messages }: RunState): boolean {
  const lastWord = messages.findLastIndex(({ role }) => role !== "tool");
  const results = messages.slice(lastWord + 1);
  if (results.length === 0) return messages[lastWord]?.role === "assistant";
  return results.some((result) => result.stop_after_tool_call);
}

/** Calls that the model has not been told the result of. Of a question about the budget it never is. */
export function pendingTools({ messages, tools }: RunState): ToolExecution[] {
  const told = new Set(
    messages.filter((message) => !message.from_history).map(({ tool_call_id }) => tool_call_id),
  );
  const isSettled = (call: ToolExecution) => call.result !== null && budgetQuestionOf(call) !== undefined;
  return tools.filter((call) => !told.has(call.tool_call_id) && !isSettled(call));
}

/**
 * @decided  A batch in which any call waits for a person runs no call at all until it is answered: whoever decides
 *           sees the whole plan, and the batch stays one step.
 */
export const awaitsPerson = (call: ToolExecution): boolean => openQuestions(call).length > 0;

/** What a person is asked about a call. */
export type OpenQuestion = "confirmation" | "user_input" | "user_feedback" | "external_execution";

/** What nobody has answered yet; a refusal answers everything. */
export function openQuestions(call: ToolExecution): OpenQuestion[] {
  if (call.result !== null || call.confirmed === false) return [];
  const isOpen: Record<OpenQuestion, boolean> = {
    confirmation: call.requires_confirmation === true && call.confirmed === null,
    user_input: call.user_input_schema !== null && call.answered !== true,
    user_feedback: call.user_feedback_schema !== null && call.answered !== true,
    external_execution: call.external_execution_required === true,
  };
  return (Object.keys(isOpen) as OpenQuestion[]).filter((question) => isOpen[question]);
}

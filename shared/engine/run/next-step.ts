import * as v from "valibot";
import { openCallQuestions } from "../../domain/runs/open-requirements.ts";
import type { Message, ToolExecution } from "../../schemas/runs/run.ts";
import type { Agent } from "../define/agent.ts";
import type { RunFault } from "../model/model-fault.ts";
import { countsFor } from "../tool/offload-settings.ts";
import { isAnswer, repetitions } from "./repetition.ts";
import { hasEnded, type MemberRun, type RunState, runsOfCall } from "./run-state.ts";

export type NextStep = "call_model" | "run_tools" | "pause" | "answer";

/**
 * The next step of a run. It depends on the state alone, so that every process decides the same.
 *
 * @decided  A member's run in progress ends or pauses before its team pauses for something else.
 */
export function nextStep(state: RunState): NextStep {
  const pending = pendingCalls(state);
  if (pending.some((call) => isUnderWay(call, state))) return "run_tools";
  if (pending.some((call) => needsPerson(call, state))) return "pause";
  if (pending.length > 0) return "run_tools";
  return hasAnswered(state) ? "answer" : "call_model";
}

/** The pending calls that the next batch executes; see `awaitsPerson`. */
export function dueCalls(state: RunState): ToolExecution[] {
  const pending = pendingCalls(state);
  const isBlocked = pending.some((call) => needsPerson(call, state));
  return pending.filter((call) => (isBlocked ? isUnderWay(call, state) : true));
}

/** Whether a call cannot proceed before a person answers. */
export const needsPerson = (call: ToolExecution, state: RunState): boolean =>
  awaitsPerson(call) || (!isUnderWay(call, state) && runsOfCall(state, call).some(waitsForPerson));

/** Whether a call goes on at its server, or has a member's run that has not ended, and waits for no person. */
export const isUnderWay = (call: ToolExecution, state: RunState): boolean =>
  (call.remote_call?.follows === true && call.result === null && !awaitsPerson(call)) ||
  runsOfCall(state, call).some((run) => !hasEnded(run) && !waitsForPerson(run));

/** Whether a member's run is paused for a person who has not answered yet. */
export const waitsForPerson = ({ state, output }: MemberRun): boolean =>
  output?.status === "PAUSED" && state !== undefined && nextStep(state) === "pause";

/** Whether the model has answered, or a tool whose result is the answer. */
export function hasAnswered({ messages, broken }: RunState): boolean {
  if (broken !== undefined) return false;
  const lastTurn = messages.findLastIndex(({ role }) => role !== "tool");
  const results = messages.slice(lastTurn + 1);
  if (results.length === 0) return messages[lastTurn]?.role === "assistant";
  return results.some((result) => result.stop_after_tool_call);
}

/** Calls whose result the model has not seen. It never sees a budget question; that one is pending until answered. */
export function pendingCalls({ messages, tools }: RunState): ToolExecution[] {
  const answeredIds = new Set(
    messages.filter((message) => !message.from_history).map(({ tool_call_id }) => tool_call_id),
  );
  const isAnsweredBudget = (call: ToolExecution) =>
    call.result !== null && budgetQuestionOf(call) !== undefined;
  return tools.filter((call) => !answeredIds.has(call.tool_call_id) && !isAnsweredBudget(call));
}

/**
 * @decided  A batch in which any call waits for a person runs no call at all until it is answered: the person
 *           who decides sees the whole plan, and the batch stays one step.
 */
export const awaitsPerson = (call: ToolExecution): boolean => openCallQuestions(call).length > 0;

/** Tool name of the entry that stands for a budget question among a run's tool calls. */
export const BUDGET_TOOL = "budget";

export const ID_PREFIX = "budget-";

export const budgetLimits = [
  "max_tokens_per_run",
  "max_cost_per_run",
  "daily_tokens_per_user",
  "daily_cost_per_user",
  "daily_tokens_per_account",
  "daily_cost_per_account",
  "daily_tokens_per_deployment",
  "daily_cost_per_deployment",
] as const;

export type BudgetLimit = (typeof budgetLimits)[number];

/** Asks a person to raise the limit to `raise_to` for this run. Amounts are tokens or dollars, as the limit counts. */
export const BudgetQuestion = v.object({
  reason: v.literal("budget"),
  limit: v.picklist(budgetLimits),
  allowed: v.number(),
  spent: v.number(),
  needed: v.number(),
  raise_to: v.number(),
});
export type BudgetQuestion = v.InferOutput<typeof BudgetQuestion>;

/** The budget question in an entry of a run's tool calls; undefined when it is an ordinary call. */
export function budgetQuestionOf(call: ToolExecution): BudgetQuestion | undefined {
  if (call.tool_name !== BUDGET_TOOL || !call.tool_call_id.startsWith(ID_PREFIX)) return undefined;
  const parsed = v.safeParse(BudgetQuestion, call.tool_args);
  return parsed.success ? parsed.output : undefined;
}

/** The limit by which a run ends: of its tool calls, of its model calls, or of calls that repeat with the same result. */
export type LoopLimit = "tool_call_limit" | "max_steps" | "loop_limit";

export type Limited = Pick<Agent, LoopLimit | "tools" | "offload_tool_results">;

/**
 * The limit that a run has reached, so that its next model call is its last: the model may call no tool in it, and has to
 * answer with what it has. Undefined while the run may go on.
 *
 * @param messages  those of the run; each answer among them was one model call
 */
export function reachedLimit(agent: Limited, messages: readonly Message[]): LoopLimit | undefined {
  const { tool_call_limit = Number.POSITIVE_INFINITY, max_steps, loop_limit } = agent;
  const answers = messages.filter(isAnswer);
  const counted = answers.flatMap(({ tool_calls = [] }) =>
    tool_calls.filter((call) => countsFor(agent, call.function.name)),
  );
  if (counted.length >= tool_call_limit) return "tool_call_limit";
  if (answers.length + 1 >= max_steps) return "max_steps";
  return loop_limit > 0 && repetitions(messages, agent) >= loop_limit ? "loop_limit" : undefined;
}

/** Whether a run has made all its model calls. */
export const hasNoCallLeft = (
  { max_steps }: Pick<Agent, "max_steps">,
  messages: readonly Message[],
): boolean => messages.filter(isAnswer).length >= max_steps;

/**
 * The message at which the prompt of the next call is the same as this one's: the last that is no answer. What a model is
 * asked in one call alone comes behind it.
 */
export const endOfPrompt = (messages: readonly Message[]): Message | undefined =>
  messages.findLast(({ role }) => role !== "assistant");

/** For a model that cannot be kept from calling tools while it is shown their results. */
export const ANSWER_NOW = "The limit of this run is reached. Answer now, and call no tool.";

/** Whether the model is to go on with an answer that broke off; where it was whole already, nothing is left to say. */
export const goesOn = (messages: readonly Message[]): boolean => messages.at(-1)?.role === "assistant";

/** Why a run was stopped from outside; used as the abort reason. */
export class RunStopped extends Error {
  override readonly name = "RunStopped";
  readonly kind: "cancelled" | "timeout" | "lost";

  /**
   * @param kind     `lost`: another worker owns the run now, or this process ends; nothing more may be written
   * @param message  public: the run shows it as the reason of a cancellation
   */
  constructor(kind: "cancelled" | "timeout" | "lost", message: string) {
    super(message);
    this.kind = kind;
  }
}

/** A run whose cancellation was requested. */
export const runCancelled = (): RunStopped => new RunStopped("cancelled", "The run was cancelled.");

/** A run that has used up `EXECUTION_TIMEOUT_SECONDS`. @param seconds  that setting */
export const executionTimeout = (seconds: number): RunStopped =>
  new RunStopped(
    "timeout",
    `The run reached its execution timeout of ${seconds} ${seconds === 1 ? "second" : "seconds"}.`,
  );

/** A run whose step is still under way when its worker function has to end. */
export const stepTooLong = (): RunStopped =>
  new RunStopped(
    "timeout",
    "One step of the run took longer than a worker function lives: a timeout of 15 minutes.",
  );

/** Why a run takes no further step in this execution. */
export type Ending =
  | {
      readonly kind: "answered";
      /** Set when the answer must have a given shape. */
      readonly structured?: { readonly value: unknown; readonly type: string };
    }
  | { readonly kind: "paused" }
  | { readonly kind: "stopped"; readonly reason: RunStopped }
  | { readonly kind: "failed"; readonly fault: RunFault };

export type Step = { readonly state: RunState; readonly ending?: Ending };

/** The ending of a run whose signal was aborted. @throws its reason, when that is not a RunStopped */
export function stoppedBy({ reason }: AbortSignal): Ending {
  if (reason instanceof RunStopped) return { kind: "stopped", reason };
  throw reason;
}

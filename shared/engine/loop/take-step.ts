import type { RunFault } from "../model/model-fault.ts";
import { addUsage, noUsage, type Usage } from "../model/usage.ts";
import { goesOn, hasNoCallLeft } from "../prompt/last-call.ts";
import { isRemote } from "../remote/is-remote.ts";
import type { Execution } from "../run/execution.ts";
import { nextStep, pendingCalls } from "../run/next-step.ts";
import type { RunState } from "../run/run-state.ts";
import type { Step } from "../run/step.ts";
import { stoppedBy } from "../run/stopped-by.ts";
import { delegationFault } from "../team/delegation-fault.ts";
import { openBroadcast } from "../team/open-broadcast.ts";
import { beginRound, endRound, withinRound } from "../team/rounds.ts";
import { type BudgetedCall, callWithinBudget } from "../turn/call-within-budget.ts";
import { recordBrokenTurn, recordTurn } from "../turn/record-turn.ts";
import { isEmpty, noAnswer, usableTurn } from "../turn/usable-turn.ts";
import { waitBeforeRetry } from "../turn/wait-before-retry.ts";
import { runTools } from "./run-tools.ts";
import { validateAnswer } from "./validate-answer.ts";

/**
 * Takes one step of a run: one model call, or one batch of tool calls. Between two steps the state holds everything,
 * so another process may take the next step.
 *
 * @throws what the signal was aborted with, unless that is a RunStopped
 */
export async function takeStep(state: RunState, execution: Execution): Promise<Step> {
  const { signal, beforeStep } = execution.ports;
  beforeStep?.();
  if (signal.aborted) return { state, ending: stoppedBy(signal) };
  switch (nextStep(state)) {
    case "call_model": {
      if (isRemote(execution.agent)) {
        // The client is a chunk of its own, which only runs of remote agents load.
        const { remoteStep } = await import("../remote/remote-step.ts");
        return remoteStep(state, execution.agent, execution);
      }
      const opened = openBroadcast(state, execution);
      return opened ? { state: opened } : modelStep(state, execution);
    }
    case "run_tools": {
      const after = await runTools(state, withinRound(state, execution));
      const fault = delegationFault(state, after, execution);
      return { state: after, ...(fault && { ending: { kind: "failed", fault } }) };
    }
    case "pause":
      return { state, ending: { kind: "paused" } };
    case "answer":
      return execution.answer
        ? validateAnswer(state, execution.answer, execution)
        : { state, ending: { kind: "answered" } };
  }
}

const failed = (state: RunState, fault: RunFault): Step => ({ state, ending: { kind: "failed", fault } });

async function modelStep(before: RunState, all: Execution): Promise<Step> {
  const round = beginRound(before, all);
  if ("fault" in round) return { state: before, ending: { kind: "failed", fault: round.fault } };
  const { state, execution } = round;
  if (hasNoCallLeft(execution.agent, state.messages))
    return failed(state, noAnswer("max_steps", execution.agent));
  const call = await answerOf(state, execution);
  if (call.ended === "not_made") return call.instead;
  const used = { ...state, usage: addUsage(state.usage, call.unanswered) };
  if (call.ended === "broken") return brokenStep(used, call, execution);
  const { turn, fault } = usableTurn(call.turn, state.messages, execution.agent);
  const recorded = recordTurn(used, turn, execution);
  if (fault) return failed(recorded, fault);
  return { state: pendingCalls(recorded).length === 0 ? endRound(recorded, execution) : recorded };
}

/** Calls the model, once more where its answer is empty. `unanswered` is what the empty answer has used. */
async function answerOf(
  state: RunState,
  execution: Execution,
): Promise<BudgetedCall & { readonly unanswered: Usage }> {
  const first = await callWithinBudget(state, execution);
  if (first.ended !== "answered" || !isEmpty(first.turn) || goesOn(state.messages))
    return { ...first, unanswered: noUsage };
  const unanswered = first.turn.usage;
  const used = { ...state, usage: addUsage(state.usage, unanswered) };
  const second = await callWithinBudget(used, execution, "-again");
  return { ...(second.ended === "not_made" ? first : second), unanswered };
}

/** How often a model is asked to go on with an answer that broke off. */
const MAX_CONTINUATIONS = 3;

/**
 * What a client has been sent of an answer is never taken back: the model goes on with it in the next step, where the agent
 * retries at all and another call may help.
 */
async function brokenStep(
  before: RunState,
  { turn, fault }: Extract<BudgetedCall, { ended: "broken" }>,
  execution: Execution,
): Promise<Step> {
  const { clock, signal, warn } = execution.ports;
  const state = recordBrokenTurn(before, turn, execution);
  if (signal.aborted) return { state, ending: stoppedBy(signal) };
  const { agent, model } = execution;
  const { broken = 0 } = state;
  const retries = agent.retries > 0 ? MAX_CONTINUATIONS : 0;
  const waitMs = turn.text === "" ? undefined : waitBeforeRetry({ ...agent, retries }, broken, fault);
  if (waitMs === undefined) return failed(state, fault);
  warn?.("going on with an answer that broke off", { model: model.id, broken, wait_ms: waitMs });
  await clock.sleep(waitMs, signal).catch(() => undefined); // an abort ends the next step too
  return { state };
}

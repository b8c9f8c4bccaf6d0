import { callWithinBudget } from "./budget/call-within-budget.ts";
import type { Execution } from "./execution.ts";
import type { RunFault } from "./model-fault.ts";
import { recordBrokenTurn, recordTurn } from "./record-turn.ts";
import type { RunStopped } from "./run-request.ts";
import { nextStep, pendingTools, type RunState } from "./run-state.ts";
import { runTools } from "./run-tools.ts";
import { settleAnswer } from "./settle-answer.ts";
import { stoppedBy } from "./stopped-by.ts";
import { delegationFault } from "./team/delegation-fault.ts";
import { openBroadcast } from "./team/open-broadcast.ts";
import { beginRound, endRound, withinRound } from "./team/rounds.ts";
import { withSessionState } from "./with-session-state.ts";

/** Why a run takes no further step in this execution. */
export type Ending =
  | {
      readonly kind: "answered";
      /** Given when an answer of some shape was asked for. */
      readonly structured?: { readonly value: unknown; readonly type: string };
    }
  | { readonly kind: "paused" }
  | { readonly kind: "stopped"; readonly reason: RunStopped }
  | { readonly kind: "failed"; readonly fault: RunFault };

export type Step = { readonly state: RunState; readonly ending?: Ending };

/**
 * Takes one step of a run: one model call, or one batch of tool calls. Between two steps the state is all there is
 * to know, so the next step may be taken by another process.
 *
 * @throws what the signal was aborted with, unless that is a RunStopped
 */
export async function takeStep(state: RunState, execution: Execution): Promise<Step> {
  const { signal, beforeStep } = execution.ports;
  beforeStep?.();
  if (signal.aborted) return { state, ending: stoppedBy(signal) };
  switch (nextStep(state)) {
    case "call_model": {
      const opened = openBroadcast(state, execution);
      return opened ? { state: opened } : modelStep(state, execution);
    }
    case "run_tools": {
      const after = withSessionState(await runTools(state, withinRound(state, execution)), execution);
      const fault = delegationFault(state, after, execution);
      return { state: after, ...(fault && { ending: { kind: "failed", fault } }) };
    }
    case "pause":
      return { state, ending: { kind: "paused" } };
    case "answer":
      return execution.answer
        ? settleAnswer(state, execution.answer, execution)
        : { state, ending: { kind: "answered" } };
  }
}

async function modelStep(before: RunState, all: Execution): Promise<Step> {
  const round = beginRound(before, all);
  if ("fault" in round) return { state: before, ending: { kind: "failed", fault: round.fault } };
  const { state, execution } = round;
  const { signal } = execution.ports;
  const call = await callWithinBudget(state, execution);
  if (call.ended === "not_made") return call.instead;
  if (call.ended === "answered") {
    const recorded = recordTurn(state, call.turn, execution);
    return { state: pendingTools(recorded).length === 0 ? endRound(recorded, execution) : recorded };
  }
  return {
    state: recordBrokenTurn(state, call.turn, execution),
    ending: signal.aborted ? stoppedBy(signal) : { kind: "failed", fault: call.fault },
  };
}

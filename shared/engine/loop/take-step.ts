import { isRemote } from "../remote/is-remote.ts";
import type { Execution } from "../run/execution.ts";
import { nextStep, pendingCalls } from "../run/next-step.ts";
import type { RunState } from "../run/run-state.ts";
import type { Step } from "../run/step.ts";
import { stoppedBy } from "../run/stopped-by.ts";
import { delegationFault } from "../team/delegation-fault.ts";
import { openBroadcast } from "../team/open-broadcast.ts";
import { beginRound, endRound, withinRound } from "../team/rounds.ts";
import { callWithinBudget } from "../turn/call-within-budget.ts";
import { recordBrokenTurn, recordTurn } from "../turn/record-turn.ts";
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

async function modelStep(before: RunState, all: Execution): Promise<Step> {
  const round = beginRound(before, all);
  if ("fault" in round) return { state: before, ending: { kind: "failed", fault: round.fault } };
  const { state, execution } = round;
  const { signal } = execution.ports;
  const call = await callWithinBudget(state, execution);
  if (call.ended === "not_made") return call.instead;
  if (call.ended === "answered") {
    const recorded = recordTurn(state, call.turn, execution);
    return { state: pendingCalls(recorded).length === 0 ? endRound(recorded, execution) : recorded };
  }
  return {
    state: recordBrokenTurn(state, call.turn, execution),
    ending: signal.aborted ? stoppedBy(signal) : { kind: "failed", fault: call.fault },
  };
}

import { admitAdded } from "../guard/admit-texts.ts";
import { withheldStep } from "../guard/output-guards.ts";
import type { RunFault } from "../model/model-fault.ts";
import { hasNoCallLeft } from "../prompt/last-call.ts";
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
import { noAnswer, usableTurn } from "../turn/usable-turn.ts";
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
  const next = nextStep(state);
  switch (next) {
    case "call_model":
    case "run_tools": {
      const admitted = await admitAdded(state, execution).catch(stoppedWhileAsked);
      if (!admitted) return { state, ending: stoppedBy(signal) };
      return admitted.fault
        ? failed(admitted.state, admitted.fault)
        : takeAdmitted(next, admitted.state, execution);
    }
    case "pause":
      return { state, ending: { kind: "paused" } };
    case "answer":
      return execution.answer
        ? validateAnswer(state, execution.answer, execution)
        : { state, ending: { kind: "answered" } };
  }

  function stoppedWhileAsked(thrown: unknown): undefined {
    if (!signal.aborted) throw thrown;
  }
}

async function takeAdmitted(
  next: "call_model" | "run_tools",
  state: RunState,
  execution: Execution,
): Promise<Step> {
  switch (next) {
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
      if (after.withheld) return withheldStep(after, after.withheld, execution);
      const fault = delegationFault(state, after, execution);
      return { state: after, ...(fault && { ending: { kind: "failed", fault } }) };
    }
  }
}

const failed = (state: RunState, fault: RunFault): Step => ({ state, ending: { kind: "failed", fault } });

async function modelStep(before: RunState, all: Execution): Promise<Step> {
  const round = beginRound(before, all);
  if ("fault" in round) return { state: before, ending: { kind: "failed", fault: round.fault } };
  const { state, execution } = round;
  const { signal } = execution.ports;
  if (hasNoCallLeft(execution.agent, state.messages))
    return failed(state, noAnswer("max_steps", execution.agent));
  const call = await callWithinBudget(state, execution);
  if (call.ended === "not_made") return call.instead;
  if (call.ended === "answered") {
    const { turn, fault } = usableTurn(call.turn, state.messages, execution.agent);
    const recorded = recordTurn(state, turn, execution);
    if (turn.withheld) return withheldStep(recorded, turn.withheld, execution);
    if (fault) return failed(recorded, fault);
    return { state: pendingCalls(recorded).length === 0 ? endRound(recorded, execution) : recorded };
  }
  return {
    state: recordBrokenTurn(state, call.turn, execution),
    ending: signal.aborted ? stoppedBy(signal) : { kind: "failed", fault: call.fault },
  };
}

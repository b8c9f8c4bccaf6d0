import type { Agent } from "./agent.ts";
import { beginRun } from "./begin-run.ts";
import { answerBudget } from "./budget/answer-budget.ts";
import { openExecution } from "./execution.ts";
import { finishRun } from "./finish-run.ts";
import type { EnginePorts, RunOutcome, RunRequest } from "./run-request.ts";
import { nextStep, type RunState } from "./run-state.ts";
import { type Step, takeStep } from "./take-step.ts";
import { toolsOf } from "./tools-of.ts";

/** Where a run may be put down and taken up, by whom does not matter. */
export type SlicePorts = EnginePorts & {
  /** Asked after every step; true ends the slice there. A slice takes one step at least. */
  readonly shouldYield?: () => boolean;
  /** Set where somebody continued the run: it says so instead of telling its start. */
  readonly continues?: boolean;
  /** Keeps the state before a step that costs or does something, so that whoever resumes need not take the last again. */
  readonly keep?: (state: RunState) => Promise<void>;
};

/** A run that is not over: its whole state after the last step. */
export type Yielded = { readonly status: "YIELDED"; readonly state: RunState };

/**
 * Executes a run from its beginning, or from a state in which it was put down, kept or paused, until it ends or is asked
 * to yield. Slices tell the same events in the same order as one execution in one go.
 *
 * @param from  the state that the slice before this one yielded; of a paused run, with the answers in its `tools`
 */
export async function executeSlice(
  agent: Agent,
  request: RunRequest,
  ports: SlicePorts,
  from?: RunState,
): Promise<RunOutcome | Yielded> {
  const { tools, fault } = await toolsOf(agent, ports.signal);
  const execution = openExecution(agent, request, ports, { from, tools });
  const { model } = execution;
  if (ports.continues) execution.emit({ event: "RunContinued" });
  else if (!from) execution.emit({ event: "RunStarted", model: model.id, model_provider: model.provider });
  let step: Step = from ? answerBudget(from) : await beginRun(execution);
  if (fault) return finishRun({ kind: "failed", fault }, step.state, execution);
  while (!step.ending) {
    step = await takeStep(step.state, execution);
    // A step that a stop cut off is not done: the run ends here, and is not put down for somebody to do it again.
    if (step.ending || ports.signal.aborted) continue;
    if (ports.shouldYield?.()) return { status: "YIELDED", state: step.state };
    if (goesOn(step.state)) await ports.keep?.(step.state);
  }
  return finishRun(step.ending, step.state, execution);
}

/** A run that answers or pauses next is over in a moment, and its end keeps all there is. */
const goesOn = (state: RunState): boolean => ["call_model", "run_tools"].includes(nextStep(state));

import type { Agent } from "./agent.ts";
import { openExecution } from "./execution.ts";
import { finishRun } from "./finish-run.ts";
import { firstMessages } from "./first-messages.ts";
import type { EnginePorts, RunOutcome, RunRequest } from "./run-request.ts";
import { newRunState, type RunState } from "./run-state.ts";
import { type Step, takeStep } from "./take-step.ts";

/** Where a run may be put down and taken up, by whom does not matter. */
export type SlicePorts = EnginePorts & {
  /** Asked after every step; true ends the slice there. A slice takes one step at least. */
  readonly shouldYield?: () => boolean;
  /** Set where somebody continued the run: it says so instead of telling its start. */
  readonly continues?: boolean;
};

/** A run that is not over: its whole state after the last step. */
export type Yielded = { readonly status: "YIELDED"; readonly state: RunState };

/**
 * Executes a run from its beginning, or from where a slice before this one put it down, until it ends or is asked to
 * yield. Slices tell the same events in the same order as one execution in one go.
 *
 * @param from  the state that the slice before this one yielded
 */
export async function executeSlice(
  agent: Agent,
  request: RunRequest,
  ports: SlicePorts,
  from?: RunState,
): Promise<RunOutcome | Yielded> {
  const execution = openExecution(agent, request, ports);
  const { model } = execution;
  if (ports.continues) execution.emit({ event: "RunContinued" });
  else if (!from) execution.emit({ event: "RunStarted", model: model.id, model_provider: model.provider });
  const begin = from ?? newRunState(firstMessages(agent, request, ports), ports.clock.now());
  let step: Step = await takeStep(begin, execution);
  while (!step.ending) {
    if (ports.shouldYield?.()) return { status: "YIELDED", state: step.state };
    step = await takeStep(step.state, execution);
  }
  return finishRun(step.ending, step.state, execution);
}

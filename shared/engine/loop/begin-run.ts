import { untilStopped } from "../abort/until-stopped.ts";
import { admitInserted, admitRequest, admittedState } from "../guard/admit-texts.ts";
import type { RunFault } from "../model/model-fault.ts";
import { firstMessages } from "../prompt/first-messages.ts";
import type { Execution } from "../run/execution.ts";
import { newRunState, type RunState } from "../run/run-state.ts";
import type { Step } from "../run/step.ts";
import { stoppedBy } from "../run/stopped-by.ts";

/**
 * Begins a run: emits its start, runs the hooks on the input, then gathers the first messages.
 *
 * @returns its state before the first step, with the ending when it may not take a step
 * @throws  what the signal was aborted with, unless that is a RunStopped
 */
export async function beginRun(execution: Execution): Promise<Step> {
  const { emit, model, ports } = execution;
  const { clock, signal } = ports;
  if (ports.continues) emit({ event: "RunContinued" });
  else emit({ event: "RunStarted", model: model.id, model_provider: model.provider });
  const startedAtMs = clock.now();
  const empty = newRunState([], startedAtMs);
  try {
    const refused = await admitRequest(execution);
    if (refused) return failed(empty, refused);
    const { messages, inserted } = await untilStopped(firstMessages(execution), signal);
    const fault = await admitInserted(inserted, execution);
    if (fault) return failed(empty, fault);
    return { state: admittedState(newRunState(messages, startedAtMs), execution) };
  } catch (thrown) {
    if (signal.aborted) return { state: empty, ending: stoppedBy(signal) };
    return failed(empty, brokenInstructions(thrown));
  }
}

const failed = (state: RunState, fault: RunFault): Step => ({ state, ending: { kind: "failed", fault } });

const brokenInstructions = (thrown: unknown): RunFault => ({
  cause: "internal",
  text: "The agent's instructions could not be made.",
  thrown,
});

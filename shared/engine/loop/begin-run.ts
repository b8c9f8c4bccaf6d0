import { untilStopped } from "../abort/until-stopped.ts";
import type { RunFault } from "../model/model-fault.ts";
import { firstMessages } from "../prompt/first-messages.ts";
import type { Execution } from "../run/execution.ts";
import { newRunState } from "../run/run-state.ts";
import type { Step } from "../run/step.ts";
import { stoppedBy } from "../run/stopped-by.ts";
import { runPreHooks } from "./run-hooks.ts";

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
    const fault = await runPreHooks(execution);
    if (fault) return { state: empty, ending: { kind: "failed", fault } };
    const messages = await untilStopped(firstMessages(execution), signal);
    return { state: newRunState(messages, startedAtMs) };
  } catch (thrown) {
    if (signal.aborted) return { state: empty, ending: stoppedBy(signal) };
    return { state: empty, ending: { kind: "failed", fault: brokenInstructions(thrown) } };
  }
}

const brokenInstructions = (thrown: unknown): RunFault => ({
  cause: "internal",
  text: "The agent's instructions could not be made.",
  thrown,
});

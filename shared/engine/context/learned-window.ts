import { untilStopped } from "../../runtime/promises.ts";
import { NO_KEY } from "../model/model-gate.ts";
import type { Execution } from "../run/execution.ts";
import { knownWindow, specKey } from "../run/prompt-size.ts";
import type { RunState } from "../run/run-state.ts";

/** A state that knows how many tokens the model takes, where another run has learned that it takes fewer than this one knows of. */
export async function withLearnedWindow(state: RunState, execution: Execution): Promise<RunState> {
  const { ports, spec } = execution;
  if (!ports.modelGate) return state;
  // A model that cannot be loaded, and a run that is stopped, say so when the model is called.
  const tokens = await untilStopped(learnedOf(execution), ports.signal).catch(() => undefined);
  const known = knownWindow(execution, state.view)?.tokens ?? Number.POSITIVE_INFINITY;
  if (tokens === undefined || tokens >= known) return state;
  const { learned = {}, changed_at = 0 } = state.view ?? {};
  return { ...state, view: { ...state.view, changed_at, learned: { ...learned, [specKey(spec)]: tokens } } };
}

async function learnedOf({ ports, spec }: Execution): Promise<number | undefined> {
  const { account = NO_KEY } = await ports.models.resolve(spec);
  return ports.modelGate?.learnedWindow(spec, account);
}

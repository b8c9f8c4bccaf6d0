import { untilStopped } from "../../runtime/promises.ts";
import type { RunFault } from "../model/model-fault.ts";
import { NO_KEY } from "../model/model-gate.ts";
import type { Execution } from "../run/execution.ts";
import { knownWindow, promptSize, specKey } from "../run/prompt-size.ts";
import type { RunState } from "../run/run-state.ts";

/** How much fewer tokens a text may have than are estimated: a token has three bytes then, and eight at most. */
const SURELY = 8 / 3;

/** Whether the prompt is far from too large, which takes no counting to see: no character is more than three tokens. */
function isShort({ messages }: RunState, { tools }: Execution, most: number): boolean {
  const texts = [
    ...messages.map(({ content = "", context = "" }) => content + context),
    ...tools.map(({ description }) => description),
  ];
  return texts.reduce((sum, text) => sum + text.length, 0) * 3 < most;
}

/**
 * Why no call is made with a prompt of which nothing more can be left out: system message, tools and input alone are longer than the
 * model's window. Undefined where the window is not known, and where the estimate may be wrong: then the service says it.
 */
export async function tooLarge(state: RunState, execution: Execution): Promise<RunFault | undefined> {
  const window = knownWindow(execution, state.view);
  if (!window) return undefined;
  const most = window.tokens * SURELY;
  if (isShort(state, execution, most)) return undefined;
  const size = await promptSize(state, execution);
  if (size <= most) return undefined;
  const text = `The prompt has about ${Math.round(size)} tokens; the context window of ${execution.model.id} has ${window.tokens}.`;
  return { cause: "input", text, thrown: undefined, error_id: "context_window_exceeded_error" };
}

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

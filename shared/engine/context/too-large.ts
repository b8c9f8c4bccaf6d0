import type { RunFault } from "../model/model-fault.ts";
import type { Execution } from "../run/execution.ts";
import { knownWindow, promptSize } from "../run/prompt-size.ts";
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

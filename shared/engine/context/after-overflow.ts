import { faultClass } from "../model/fault-class.ts";
import type { RunFault } from "../model/model-fault.ts";
import { compactionOf, windowIn } from "../model/windows.ts";
import type { Execution } from "../run/execution.ts";
import { knownWindow, promptSize, specKey } from "../run/prompt-size.ts";
import type { RunState } from "../run/run-state.ts";
import type { ModelTurn } from "../turn/call-model.ts";
import { fitPrompt } from "./fit-prompt.ts";

/** How often a prompt is made shorter because a service refuses it, before the run's other models are asked. */
const MOST = 3;

/** What a refused prompt was, where the service names no limit. */
const ASSUMED = 0.9;

type Broken = { readonly turn: ModelTurn; readonly fault: RunFault };

const isTooLong = ({ turn, fault }: Broken): boolean =>
  turn.first_token_at_ms === null && faultClass(fault, false) === "context_overflow";

/**
 * The state in which a call is made again that was refused because its prompt is too long: the model's window is known from now on, and
 * the prompt is shorter. Undefined for another fault, and where nothing more can be left out.
 */
export async function afterOverflow(
  state: RunState,
  broken: Broken,
  execution: Execution,
): Promise<RunState | undefined> {
  const { ports, spec, model } = execution;
  if (!isTooLong(broken) || ports.signal.aborted) return undefined;
  if (compactionOf(execution.agent)?.on_context_overflow === false) return undefined;
  const at = state.messages.length;
  const { refused, learned = {}, changed_at = 0 } = state.view ?? {};
  const times = refused?.at === at ? refused.times + 1 : 1;
  if (times > MOST) return undefined;
  const size = await promptSize(state, execution);
  const said = windowIn(broken.fault.text);
  const window = Math.floor(said ?? Math.min(size, knownWindow(execution)?.tokens ?? size) * ASSUMED);
  const known: RunState = {
    ...state,
    view: {
      ...state.view,
      changed_at,
      learned: { ...learned, [specKey(spec)]: window },
      refused: { at, times },
    },
  };
  await ports.modelGate?.noteWindow(spec, window);
  const smaller = await fitPrompt(known, execution, size);
  if (!smaller) return undefined;
  ports.warn?.("calling a model again with a shorter prompt", { model: model.id, window, size, times });
  // The call that was refused has had its name.
  return { ...smaller, calls: state.calls + 1 };
}

/** A fault as it ends a run: one whose prompt is too long has an id of its own. */
export const endingFault = (broken: Broken): RunFault =>
  isTooLong(broken)
    ? { ...broken.fault, cause: "input", error_id: "context_window_exceeded_error" }
    : broken.fault;

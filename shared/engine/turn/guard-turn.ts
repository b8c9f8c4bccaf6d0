import type { Execution } from "../run/execution.ts";
import type { RunState } from "../run/run-state.ts";
import type { ModelCall, ModelTurn } from "./call-model.ts";
import { holdText } from "./hold-text.ts";
import { guardsOutput, refusalOfAnswer } from "./output-guards.ts";

/**
 * Makes a model call whose text leaves the process once the guards of the output have let it pass: no event, record, span or
 * checkpoint holds it before, and none ever where they refuse it.
 *
 * @param call  the call, with the execution by which it emits
 */
export async function guardedCall(
  state: RunState,
  execution: Execution,
  call: (execution: Execution) => Promise<ModelCall>,
): Promise<ModelCall> {
  if (!guardsOutput(execution)) return call(execution);
  const held = holdText(execution);
  try {
    const made = await call(held.execution);
    const turn = await guardTurn(state, made.turn, execution);
    if (turn === made.turn) held.release();
    return { ...made, turn };
  } finally {
    held.withhold(); // nothing, where it was released
  }
}

/**
 * A turn as far as the guards of the output let it pass. A refused one says why instead of what it said, and calls nothing.
 * What was cut off by the end of the run is left out: no guard has seen it.
 *
 * @param question  what the turn asks of a person beside its text
 */
export async function guardTurn(
  state: RunState,
  turn: ModelTurn,
  execution: Execution,
  question = "",
): Promise<ModelTurn> {
  if (!guardsOutput(execution) || (turn.text === "" && turn.reasoning === "" && question === "")) return turn;
  const { provider_data: _p, media: _m, ...rest } = turn;
  const bare = { ...rest, reasoning: "", calls: [] };
  if (execution.ports.signal.aborted) return { ...bare, text: "" };
  try {
    const withheld =
      (await refusalOfAnswer(state.content + turn.text, execution)) ??
      (question === "" ? undefined : await refusalOfAnswer(question, execution));
    return withheld ? { ...bare, text: withheld.fault.text, withheld } : turn;
  } catch (thrown) {
    if (!execution.ports.signal.aborted) throw thrown;
    return { ...bare, text: "" };
  }
}

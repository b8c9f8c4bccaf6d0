import type { Message } from "../../schemas/runs/run.ts";
import { addUsage, noUsage } from "../model/usage.ts";
import { compactionOf } from "../model/windows.ts";
import type { Execution } from "../run/execution.ts";
import type { RunState } from "../run/run-state.ts";
import { type ExtraAnswer, queryModel } from "../turn/query-model.ts";
import { archiveTexts } from "./fold-text.ts";

const TASK =
  "The beginning of an agent's work is to be replaced by a summary, for the same agent to go on with. Say what was asked and by whom, what was found or decided with the facts, names, numbers and ids, what was tried without success, and what is open. Keep what an earlier summary says and is still true. Answer with the summary alone.";

/** A longer conversation is summed up in several calls, up to so many. */
const MOST_CALLS = 4;

/** A summary, where there is one, and the state with what its calls have used. */
export type SummedUp = { readonly state: RunState; readonly summary?: string };

type Sizes = { readonly chars: number; readonly most: number; readonly material: number };

/**
 * Has a model sum up messages that leave the prompt: the agent's own for this, else the helper. Without one there is no summary, and none where a call fails, gives
 * nothing or more than may be taken, or where a budget has no room.
 *
 * @param earlier   what stands for the messages before them
 * @param chars     how long a summary may be, as the task says it
 * @param most      longest summary that is taken, unless what it stands for is shorter
 * @param material  most characters of one call
 * @throws the signal's reason
 */
export async function sumUp(
  messages: readonly Message[],
  earlier: string | undefined,
  { chars, most, material }: Sizes,
  before: RunState,
  execution: Execution,
): Promise<SummedUp> {
  const { agent, ports } = execution;
  const { model, instructions = TASK } = compactionOf(agent) ?? {};
  if ((model ?? agent.helper_model ?? ports.models.helper) === undefined) return { state: before };
  const parts = archiveTexts(messages, material);
  if (parts.length > MOST_CALLS) return { state: before };
  let state = before;
  let summary = earlier;
  let whole = earlier?.length ?? 0;
  for (const [at, part] of parts.entries()) {
    const query = {
      name: `fold-${before.view?.folds?.length ?? 0}-${at}`,
      task: `${instructions} It has at most ${chars} characters.`,
      model,
      material: summary === undefined ? part : `Earlier summary: ${summary}\n\n${part}`,
    };
    const answer = await queryModel(query, state, execution);
    if (!answer) return { state };
    state = withUsage(state, answer);
    summary = answer.text.trim();
    whole += part.length;
    if (summary === "" || summary.length > Math.min(most, whole)) return { state };
  }
  return summary === undefined ? { state } : { state, summary };
}

function withUsage(state: RunState, { usage, spec = "" }: ExtraAnswer): RunState {
  const { folds_used = {} } = state;
  const used = addUsage(folds_used[spec] ?? noUsage, usage);
  return { ...state, usage: addUsage(state.usage, usage), folds_used: { ...folds_used, [spec]: used } };
}

import type { Message } from "../../schemas/runs/run.ts";
import type { Agent } from "../define/agent.ts";
import type { RunFault } from "../model/model-fault.ts";
import { goesOn, type LoopLimit, reachedLimit } from "../prompt/last-call.ts";
import type { ModelTurn } from "./call-model.ts";

type Usable = { readonly turn: ModelTurn; readonly fault?: RunFault };

/**
 * What of a model's answer counts. In the last call of a run no tool can be called: calls are dropped, and without a text
 * the run fails. So does a run whose answer is empty, or was filtered as a whole.
 *
 * @param messages  those that the model was shown
 */
export function usableTurn(
  turn: ModelTurn,
  messages: readonly Message[],
  agent: Pick<Agent, LoopLimit>,
): Usable {
  const { text, calls, finish_reason } = turn;
  if (finish_reason === "content-filter" && text === "" && calls.length === 0)
    return { turn, fault: filtered };
  if (text === "" && calls.length === 0 && finish_reason === "length") return { turn, fault: spent };
  if (isEmpty(turn) && !goesOn(messages)) return { turn, fault: empty };
  const limit = reachedLimit(agent, messages);
  if (!limit || calls.length === 0) return { turn };
  const answer = { ...turn, calls: [] };
  return text === "" ? { turn: answer, fault: noAnswer(limit, agent) } : { turn: answer };
}

/** Whether a model has ended its answer without saying or doing anything. */
export const isEmpty = ({ text, calls, media, finish_reason }: ModelTurn): boolean =>
  text.trim() === "" && calls.length === 0 && media === undefined && finish_reason === undefined;

const empty: RunFault = {
  cause: "model",
  text: "The model gave an empty answer, also when it was asked again.",
  thrown: undefined,
};

const spent: RunFault = {
  cause: "model",
  text: "The model reached the limit of its output before it answered.",
  thrown: undefined,
  error_type: "length",
};

const filtered: RunFault = {
  cause: "input",
  text: "The model refused to answer, or a filter of its service removed the answer.",
  thrown: undefined,
  error_type: "content_filter",
};

/** The fault of a run whose model does not answer at its limit. */
export const noAnswer = (limit: LoopLimit, agent: Pick<Agent, LoopLimit>): RunFault => ({
  cause: "model",
  text: `The run reached its ${limit} of ${agent[limit]}, and the model would not answer without more tools.`,
  thrown: undefined,
  error_type: limit,
});

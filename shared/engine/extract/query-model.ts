import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import { untilStopped } from "../../runtime/promises.ts";
import { callBound, holdBudget, outputLimit } from "../budget/hold-budget.ts";
import { type Answer, collectAnswer } from "../model/collect-answer.ts";
import { buildPrompt, promptTools } from "../prompt/build-prompt.ts";
import type { Execution } from "../run/execution.ts";
import { newMessage, type RunState } from "../run/run-state.ts";
import type { Tool } from "../tool/tool.ts";
import { modelSpan } from "../turn/call-within-budget.ts";

export type ModelQuery = {
  /** Unique for the call within the run. */
  readonly name: string;
  readonly task: string;
  readonly material: string;
  /** Tools that it may call instead of answering with text; they are not executed here. */
  readonly tools?: readonly Tool[];
};

/**
 * Makes an extra call of an agent's model: it emits no events and adds nothing to the conversation.
 *
 * @returns undefined when a budget has no room or the model fails: an extra call must not fail the run
 * @throws  the signal's reason
 */
export async function queryModel(
  query: ModelQuery,
  state: RunState,
  execution: Execution,
): Promise<Answer | undefined> {
  const messages = [
    newMessage({ role: "system", content: query.task }, execution.ports),
    newMessage({ role: "user", content: query.material }, execution.ports),
  ];
  const { tools = [] } = query;
  const bound = await callBound(messages, { ...execution, tools });
  const held = await holdBudget(state, bound, query.name, execution);
  if (!held.held) return undefined;
  const span = execution.ports.span?.child(modelSpan(`ask:${query.name}`, messages, execution));
  try {
    const answer = await collect(buildPrompt(messages, execution.model), tools, execution);
    span?.end({ output: answer.text, usage: answer.usage });
    await held.settle(answer.usage);
    return answer;
  } catch (error) {
    if (!execution.ports.signal.aborted) span?.end({ error: String(error) });
    await held.settle(bound);
    execution.ports.signal.throwIfAborted();
    return undefined;
  }
}

async function collect(
  prompt: LanguageModelV4Prompt,
  tools: readonly Tool[],
  execution: Execution,
): Promise<Answer> {
  const { models, signal } = execution.ports;
  const resolved = await untilStopped(models.resolve(execution.spec), signal);
  const maxOutputTokens = outputLimit(execution);
  const limit = maxOutputTokens === undefined ? {} : { maxOutputTokens };
  const offered = tools.length > 0 ? { tools: promptTools(tools) } : {};
  return collectAnswer(resolved, { prompt, ...offered, ...limit }, signal);
}

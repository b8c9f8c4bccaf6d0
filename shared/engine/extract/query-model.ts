import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import { untilStopped } from "../abort/until-stopped.ts";
import { callBound } from "../budget/call-bound.ts";
import { holdBudget } from "../budget/hold-budget.ts";
import { outputLimit } from "../budget/output-limit.ts";
import { type Answer, collectAnswer } from "../model/collect-answer.ts";
import { buildPrompt, promptTools } from "../prompt/build-prompt.ts";
import type { Execution } from "../run/execution.ts";
import { newMessage } from "../run/new-message.ts";
import type { RunState } from "../run/run-state.ts";
import type { Tool } from "../tool/tool.ts";
import { modelSpan } from "../turn/trace-model-call.ts";

export type Question = {
  /** Names the call within the run. */
  readonly name: string;
  readonly task: string;
  readonly material: string;
  /** What it may answer with instead of words; nothing is executed here. */
  readonly tools?: readonly Tool[];
};

export type Asked = Answer;

/**
 * Asks an agent's model something on the side: no events, nothing enters the conversation.
 *
 * @returns undefined when a budget has no room or the model fails: what is asked on the side is not worth a run
 * @throws  the signal's reason
 */
export async function queryModel(
  question: Question,
  state: RunState,
  execution: Execution,
): Promise<Asked | undefined> {
  const messages = [
    newMessage({ role: "system", content: question.task }, execution.ports),
    newMessage({ role: "user", content: question.material }, execution.ports),
  ];
  const { tools = [] } = question;
  const bound = callBound(messages, { ...execution, tools });
  const held = await holdBudget(state, bound, question.name, execution);
  if (!held.held) return undefined;
  const span = execution.ports.span?.child(modelSpan(`ask:${question.name}`, messages, execution));
  try {
    const asked = await collect(buildPrompt(messages, execution.model), tools, execution);
    span?.end({ output: asked.text, usage: asked.usage });
    await held.settle(asked.usage);
    return asked;
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
  const resolved = await untilStopped(models.resolve(execution.agent.model), signal);
  const maxOutputTokens = outputLimit(execution);
  const limit = maxOutputTokens === undefined ? {} : { maxOutputTokens };
  const offered = tools.length > 0 ? { tools: promptTools(tools) } : {};
  return collectAnswer(resolved, { prompt, ...offered, ...limit }, signal);
}

import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import { callBound } from "./budget/call-bound.ts";
import { holdBudget } from "./budget/hold-budget.ts";
import { outputLimit } from "./budget/output-limit.ts";
import { buildPrompt } from "./build-prompt.ts";
import type { Execution } from "./execution.ts";
import { noUsage, type Usage, usageFrom } from "./metrics.ts";
import { newMessage } from "./new-message.ts";
import { readUntilStopped } from "./read-until-stopped.ts";
import type { RunState } from "./run-state.ts";
import { untilStopped } from "./until-stopped.ts";

export type Question = {
  /** Names the call within the run. */
  readonly name: string;
  readonly task: string;
  readonly material: string;
};

export type Asked = { readonly text: string; readonly usage: Usage };

/**
 * Asks an agent's model something on the side: no tools, no events, nothing enters the conversation.
 *
 * @returns undefined when a budget has no room or the model fails: what is asked on the side is not worth a run
 * @throws  the signal's reason
 */
export async function askModel(
  question: Question,
  state: RunState,
  execution: Execution,
): Promise<Asked | undefined> {
  const messages = [
    newMessage({ role: "system", content: question.task }, execution.ports),
    newMessage({ role: "user", content: question.material }, execution.ports),
  ];
  const bound = callBound(messages, execution);
  const held = await holdBudget(state, bound, question.name, execution);
  if (!held.held) return undefined;
  try {
    const asked = await listen(buildPrompt(messages, execution.model), execution);
    await held.settle(asked.usage);
    return asked;
  } catch {
    await held.settle(bound);
    execution.ports.signal.throwIfAborted();
    return undefined;
  }
}

async function listen(prompt: LanguageModelV4Prompt, execution: Execution): Promise<Asked> {
  const { agent, ports } = execution;
  const { models, signal } = ports;
  const { model, providerOptions } = await untilStopped(models.resolve(agent.model), signal);
  const maxOutputTokens = outputLimit(execution);
  const call = model.doStream({
    prompt,
    ...(providerOptions && { providerOptions }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    abortSignal: signal,
  });
  const { stream } = await untilStopped(call, signal);
  let text = "";
  let usage = noUsage;
  for await (const part of readUntilStopped(stream, signal)) {
    if (part.type === "text-delta") text += part.delta;
    if (part.type === "finish") usage = usageFrom(part.usage);
    if (part.type === "error") throw part.error;
  }
  return { text: text.trim(), usage };
}

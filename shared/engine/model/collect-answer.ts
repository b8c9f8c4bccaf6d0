import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { readUntilStopped, untilStopped } from "../../runtime/promises.ts";
import { countedUsage } from "./count-tokens.ts";
import type { ResolvedModel } from "./models.ts";
import type { RequestedCall } from "./streamed-answer.ts";
import { isUnreadableUsage } from "./unreadable-usage.ts";
import { noUsage, type Usage, usageFrom } from "./usage.ts";

export type Answer = {
  /** Without surrounding whitespace. */
  readonly text: string;
  readonly calls: readonly RequestedCall[];
  readonly usage: Usage;
};

/** What a model is asked outside of a conversation. */
export type CallOptions = Pick<LanguageModelV4CallOptions, "prompt" | "responseFormat">;

/**
 * Makes one model call and returns the whole answer. No events are emitted.
 *
 * @param begun  called with the first part of the answer
 * @throws what the model throws; the signal's reason
 */
export async function collectAnswer(
  { model, providerOptions, ...shown }: Pick<ResolvedModel, "model" | "providerOptions" | "id" | "provider">,
  options: Omit<LanguageModelV4CallOptions, "abortSignal" | "providerOptions">,
  signal: AbortSignal,
  begun?: () => void,
): Promise<Answer> {
  const call = model.doStream({
    ...options,
    ...(providerOptions && { providerOptions }),
    abortSignal: signal,
  });
  const { stream } = await untilStopped(call, signal);
  const calls: RequestedCall[] = [];
  let text = "";
  let usage = noUsage;
  let hasBegun = false;
  for await (const part of readUntilStopped(stream, signal)) {
    if (!hasBegun && isPartOfAnswer(part)) begun?.();
    hasBegun ||= isPartOfAnswer(part);
    if (part.type === "text-delta") text += part.delta;
    if (part.type === "tool-call" && !part.providerExecuted) {
      calls.push({ id: part.toolCallId, name: part.toolName, arguments: part.input });
    }
    if (part.type === "finish") usage = usageFrom(part.usage);
    if (part.type === "error" && !isUnreadableUsage(part.error)) throw part.error;
  }
  const counted = await countedUsage(usage, { ...options, answer: text, calls }, shown);
  return { text: text.trim(), calls, usage: counted };
}

const isPartOfAnswer = ({ type }: LanguageModelV4StreamPart): boolean =>
  type === "text-delta" || type === "reasoning-delta" || type === "tool-input-start" || type === "tool-call";

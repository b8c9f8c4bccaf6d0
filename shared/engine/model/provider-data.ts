import type { LanguageModelV4Message } from "@ai-sdk/provider";
import type { Message, ProviderData } from "../../schemas/runs/run.ts";
import type { AnswerPart, StreamedAnswer } from "./streamed-answer.ts";

type AssistantContent = Extract<LanguageModelV4Message, { role: "assistant" }>["content"];
type AssistantPart = AssistantContent[number];
type Text = Extract<AssistantPart, { type: "text" }>;
type Call = Extract<AssistantPart, { type: "tool-call" }>;
type Model = { readonly id: string; readonly provider: string };

/**
 * What has to be kept of an answer beside its words. Only a call that asks for tools is followed by another call of
 * the same model in the same run, and only then do providers want their reasoning back.
 *
 * @returns undefined when there is nothing that the message itself does not say
 */
export function providerDataOf({ calls, parts }: StreamedAnswer, model: Model): ProviderData | undefined {
  const says = parts.some((part) => part.type === "reasoning" || part.attached !== undefined);
  if (calls.length === 0 || !says) return undefined;
  return { provider: model.provider, model: model.id, parts: parts.map(keptPart) };
}

function keptPart(part: AnswerPart): ProviderData["parts"][number] {
  const options = part.attached && { options: part.attached };
  switch (part.type) {
    case "text":
      return { type: "text", length: part.text.length, ...options };
    case "reasoning":
      return { type: "reasoning", text: part.text, ...options };
    case "tool-call":
      return { type: "tool-call", ...options };
  }
}

/**
 * An assistant message's content as the provider first gave it: reasoning at its place, with its signature.
 *
 * @param text   the message's own text
 * @param calls  the message's own tool calls
 * @returns undefined when the message is another model's, another run's, or not what was kept of it any more
 */
export function contentAsGiven(
  { provider_data: data, from_history }: Message,
  text: string,
  calls: readonly Call[],
  model: Model,
): AssistantContent | undefined {
  if (!data || from_history || data.provider !== model.provider || data.model !== model.id) return undefined;
  const waiting = [...calls];
  let at = 0;
  const content = data.parts.flatMap((part): AssistantContent => {
    const options = part.options && { providerOptions: part.options as Call["providerOptions"] & {} };
    if (part.type === "reasoning") return [{ type: "reasoning", text: part.text, ...options }];
    if (part.type === "text") {
      const piece: Text = { type: "text", text: text.slice(at, at + part.length), ...options };
      at += part.length;
      return piece.text === "" ? [] : [piece];
    }
    const call = waiting.shift();
    return call ? [{ ...call, ...options }] : [];
  });
  return at === text.length && waiting.length === 0 ? content : undefined;
}

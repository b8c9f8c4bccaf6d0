import type { LanguageModelV4Message } from "@ai-sdk/provider";
import type { Message, ProviderData } from "../../schemas/runs/run.ts";
import type { AnswerPart, StreamedAnswer } from "./streamed-answer.ts";

type AssistantContent = Extract<LanguageModelV4Message, { role: "assistant" }>["content"];
type AssistantPart = AssistantContent[number];
type Text = Extract<AssistantPart, { type: "text" }>;
type Call = Extract<AssistantPart, { type: "tool-call" }>;
type Model = { readonly id: string; readonly provider: string };

/**
 * What has to be stored of an answer beside its text. Providers need their reasoning back only in the next call of the
 * same model in the same run, and only an answer with tool calls is followed by one.
 *
 * @returns undefined when the message itself holds everything
 */
export function providerDataOf({ calls, parts }: StreamedAnswer, model: Model): ProviderData | undefined {
  const isNeeded = parts.some((part) => part.type === "reasoning" || part.attached !== undefined);
  if (calls.length === 0 || !isNeeded) return undefined;
  return { provider: model.provider, model: model.id, parts: parts.map(storedPart) };
}

function storedPart(part: AnswerPart): ProviderData["parts"][number] {
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
 * An assistant message's content as the provider first sent it: with the reasoning in its place, and its signature.
 *
 * @param text   the message's own text
 * @param calls  the message's own tool calls
 * @returns undefined when the message is of another model or another run, or was changed since
 */
export function originalContent(
  { provider_data: data, from_history }: Message,
  text: string,
  calls: readonly Call[],
  model: Model,
): AssistantContent | undefined {
  if (!data || from_history || data.provider !== model.provider || data.model !== model.id) return undefined;
  const remaining = [...calls];
  let at = 0;
  const content = data.parts.flatMap((part): AssistantContent => {
    const options = part.options && { providerOptions: part.options as Call["providerOptions"] & {} };
    if (part.type === "reasoning") return [{ type: "reasoning", text: part.text, ...options }];
    if (part.type === "text") {
      const piece: Text = { type: "text", text: text.slice(at, at + part.length), ...options };
      at += part.length;
      return piece.text === "" ? [] : [piece];
    }
    const call = remaining.shift();
    return call ? [{ ...call, ...options }] : [];
  });
  return at === text.length && remaining.length === 0 ? content : undefined;
}

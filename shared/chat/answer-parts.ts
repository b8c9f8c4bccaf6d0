import type { ChatAnswer, ChatPart } from "./chat-port.ts";

type Settings = { readonly streaming: boolean; readonly show_reasoning: boolean };

/**
 * The messages of an answer in their order. With streaming the text is shown before anything else is known, so files come
 * after it.
 *
 * @param chunksOf  cuts Markdown into what the platform accepts as one message
 */
export function answerParts(
  { streaming, show_reasoning }: Settings,
  { text, reasoning, media }: ChatAnswer,
  chunksOf: (markdown: string) => readonly string[],
): ChatPart[] {
  const texts = (markdown: string) =>
    chunksOf(markdown).map((chunk): ChatPart => ({ kind: "text", text: chunk }));
  const files = media.map((medium): ChatPart => ({ kind: "medium", medium }));
  if (streaming) return [...texts(text), ...files];
  return [...(show_reasoning && reasoning ? texts(reasoning) : []), ...files, ...texts(text)];
}

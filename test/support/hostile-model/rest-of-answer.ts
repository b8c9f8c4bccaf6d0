import type { Json } from "./protocol.ts";

/**
 * The deltas that are left of an answer whose beginning a request brings along as the assistant's last message, as a model continues
 * it; all of them where it brings none. What the client has of a broken answer is its to say: a delta that the error overtook
 * never arrived.
 */
export function restOfAnswer(text: readonly string[], { messages, input }: Json): readonly string[] {
  const begun = textOf(lastOfAssistant(messages ?? input)).trimEnd();
  const sent = text.findIndex(
    (_, at) =>
      text
        .slice(0, at + 1)
        .join("")
        .trimEnd() === begun,
  );
  return text.slice(sent + 1);
}

const lastOfAssistant = (items: unknown): unknown =>
  Array.isArray(items) ? items.findLast((item) => item?.role === "assistant")?.content : undefined;

/** A text, or the texts of its parts, in whichever member a protocol has them. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => (typeof part?.text === "string" ? part.text : "")).join("");
}

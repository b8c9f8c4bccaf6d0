import type { Answer, CallOptions } from "../model/collect-answer.ts";

const TASK = [
  "These are memories of one user. Merge them into one text about that user, in the third person.",
  "Keep every fact, add none, say nothing twice. Where two contradict each other, the later one counts.",
  "Answer with the text alone.",
].join(" ");

/**
 * Merges memories into one with a model.
 *
 * @param query  makes the model call
 * @param texts  the oldest first
 * @returns      never empty: when the model's answer is, the texts one after the other
 * @throws       what the call throws
 */
export async function mergeMemories(
  query: (options: CallOptions) => Promise<Answer>,
  texts: readonly string[],
): Promise<string> {
  const material = texts.map((text, i) => `${i + 1}. ${text}`).join("\n");
  const { text } = await query({
    prompt: [
      { role: "system", content: TASK },
      { role: "user", content: [{ type: "text", text: material }] },
    ],
  });
  return text || texts.join(" ");
}

import type { Message } from "../../schemas/runs/run.ts";
import type { Answer, CallOptions } from "../model/collect-answer.ts";
import { transcript } from "../run/transcript.ts";

const TASK =
  "The beginning of a conversation is to be replaced by a summary. Write it for whoever continues the conversation: what was asked, what was found or decided and by which facts, names and numbers, what is open. Keep what an earlier summary says and is still true. Answer with the summary alone.";

/** A longer summary would not fit into its session's item. */
const MAX_CHARS = 30_000;

/**
 * Sums up the beginning of a conversation.
 *
 * @param query     makes the model call
 * @param earlier   the summary of what came before these messages
 * @returns         empty when the model gives none
 * @throws          what the call throws
 */
export async function compactHistory(
  query: (options: CallOptions) => Promise<Answer>,
  messages: readonly Message[],
  earlier: string | undefined,
): Promise<string> {
  const said = transcript(messages);
  const text = earlier === undefined ? said : `Earlier summary: ${earlier}\n\n${said}`;
  const answer = await query({
    prompt: [
      { role: "system", content: TASK },
      { role: "user", content: [{ type: "text", text }] },
    ],
  });
  return answer.text.trim().slice(0, MAX_CHARS);
}

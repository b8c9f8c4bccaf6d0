import type { Answer, CallOptions } from "../model/collect-answer.ts";

export type Exchange = { readonly question: string; readonly answer: string };

const TASK =
  "Name this conversation in at most five words. Answer with the name alone: no quotation marks, no full stop.";
/** Of each question and answer; a name needs no more. */
const EXCERPT_CHARS = 500;
const MAX_NAME_CHARS = 80;

/**
 * Generates the name of a conversation with a model.
 *
 * @param query      makes the model call
 * @param exchanges  the oldest first
 * @returns          one line of at most 80 characters
 * @throws           what the call throws; Error when its answer is empty
 */
export async function generateSessionName(
  query: (options: CallOptions) => Promise<Answer>,
  exchanges: readonly Exchange[],
): Promise<string> {
  const text = exchanges
    .map(({ question, answer }) => `User: ${excerpt(question)}\nAssistant: ${excerpt(answer)}`)
    .join("\n");
  const answer = await query({
    prompt: [
      { role: "system", content: TASK },
      { role: "user", content: [{ type: "text", text }] },
    ],
  });
  const name = tidy(answer.text);
  if (name === "") throw new Error("the model answered without a name");
  return name;
}

const excerpt = (text: string): string => text.slice(0, EXCERPT_CHARS);

/** Models add quotation marks in spite of the instruction. */
const tidy = (answer: string): string =>
  answer
    .replace(/\s+/g, " ")
    .trim()
    .replace(/^["'“”]+|["'“”.]+$/g, "")
    .slice(0, MAX_NAME_CHARS)
    .trim();

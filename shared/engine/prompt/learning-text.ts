import type { LearningBook } from "../ports/learning-book.ts";
import { authorOf } from "../run/author-of.ts";
import type { Execution } from "../run/execution.ts";

/** Learnings that the model is told of, the last changed ones, and how much of them. */
const RECALLED = 20;
const MOST_CHARS = 8_000;

/** What the model is told that was learned for the user; nothing where it is not to be told, or nothing was. */
export async function learningText({ agent, ports, request }: Execution): Promise<string | undefined> {
  const { learnings, signal, warn } = ports;
  if (!learnings || !agent.learning || !agent.add_learnings_to_context) return undefined;
  try {
    const lines = await recalledLines(learnings(authorOf(agent)), request.session_id);
    return lines.length > 0 ? `What was learned before:\n${lines.join("\n")}` : undefined;
  } catch (thrown) {
    signal.throwIfAborted();
    warn?.("learnings could not be read", { run_id: request.run_id, error: String(thrown) });
    return undefined;
  }
}

/** A line for each of the last learnings. Where another session stands is of no use in this one. */
export async function recalledLines({ recall }: LearningBook, session_id: string): Promise<string[]> {
  const recalled = await recall(RECALLED);
  const lines = recalled
    .filter((one) => one.learning_type !== "session_context" || one.session_id === session_id)
    .map(({ learning_type, content }) => `- ${learning_type}: ${JSON.stringify(content)}`);
  return lines.filter((_, i) => lines.slice(0, i + 1).join("\n").length <= MOST_CHARS);
}

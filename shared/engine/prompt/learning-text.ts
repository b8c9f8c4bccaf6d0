import type { LearningBook } from "../ports/learning-book.ts";
import { authorOf } from "../run/author-of.ts";
import type { Execution } from "../run/execution.ts";

/** How many learnings the model is shown, the last changed ones, and how long they may be together. */
const MAX_LEARNINGS = 20;
const MAX_CHARS = 8_000;

/** The user's learnings as system text; undefined when the agent does not show them, or there are none. */
export async function learningText({ agent, ports, request }: Execution): Promise<string | undefined> {
  const { learnings, signal, warn } = ports;
  if (!learnings || !agent.learning || !agent.add_learnings_to_context) return undefined;
  try {
    const lines = await learningLines(learnings(authorOf(agent)), request.session_id);
    return lines.length > 0 ? `What was learned before:\n${lines.join("\n")}` : undefined;
  } catch (thrown) {
    signal.throwIfAborted();
    warn?.("learnings could not be read", { run_id: request.run_id, error: String(thrown) });
    return undefined;
  }
}

/** A line for each of the last learnings. The context of another session is left out. */
export async function learningLines({ recall }: LearningBook, session_id: string): Promise<string[]> {
  const recalled = await recall(MAX_LEARNINGS);
  const lines = recalled
    .filter((one) => one.learning_type !== "session_context" || one.session_id === session_id)
    .map(({ learning_type, content }) => `- ${learning_type}: ${JSON.stringify(content)}`);
  return lines.filter((_, i) => lines.slice(0, i + 1).join("\n").length <= MAX_CHARS);
}

import type { Execution } from "../execution.ts";
import { writerOf } from "../writer-of.ts";

/** Learnings that the model is told of, the last changed ones, and how much of them. */
const RECALLED = 20;
const MOST_CHARS = 8_000;

/** What the model is told that was learned for the user; nothing where it is not to be told, or nothing was. */
export async function learningText({ agent, ports, request }: Execution): Promise<string | undefined> {
  const { learnings, signal, warn } = ports;
  if (!learnings || !agent.learning || !agent.add_learnings_to_context) return undefined;
  try {
    const recalled = await learnings(writerOf(agent)).recall(RECALLED);
    const lines = recalled.map(
      ({ learning_type, content }) => `- ${learning_type}: ${JSON.stringify(content)}`,
    );
    const shown = lines.filter((_, i) => lines.slice(0, i + 1).join("\n").length <= MOST_CHARS);
    return shown.length > 0 ? `What was learned before:\n${shown.join("\n")}` : undefined;
  } catch (thrown) {
    signal.throwIfAborted();
    warn?.("learnings could not be read", { run_id: request.run_id, error: String(thrown) });
    return undefined;
  }
}

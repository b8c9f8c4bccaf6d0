import { KNOWN_MEMORIES } from "../memory/known-memories.ts";
import { usesMemories } from "../memory/uses-memories.ts";
import type { Execution } from "../run/execution.ts";

/** The user's memories as system text; undefined when the agent does not show them, or there are none. */
export async function memoryText({ agent, ports, request }: Execution): Promise<string | undefined> {
  const { memories: book, signal, warn } = ports;
  if (!book || !(agent.add_memories_to_context ?? usesMemories(agent))) return undefined;
  try {
    const known = await book.list(KNOWN_MEMORIES);
    if (known.length === 0) return undefined;
    return `What you remember of the user:\n${known.map(({ memory }) => `- ${memory}`).join("\n")}`;
  } catch (thrown) {
    signal.throwIfAborted();
    warn?.("memories could not be read", { run_id: request.run_id, error: String(thrown) });
    return undefined;
  }
}

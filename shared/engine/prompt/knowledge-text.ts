import { filterOf } from "../knowledge/search-tool.ts";
import type { Execution } from "../run/execution.ts";

/**
 * What the agent's knowledge base has on the run's message, as system text; undefined when the agent does not ask for
 * it, or nothing was found.
 */
export async function knowledgeText({ agent, ports, request }: Execution): Promise<string | undefined> {
  const { searchKnowledge, signal, warn } = ports;
  const { knowledge: base, add_knowledge_to_context } = agent;
  if (!searchKnowledge || !add_knowledge_to_context || base === undefined || request.input.trim() === "")
    return undefined;
  try {
    const filter = filterOf(agent, request.knowledge_filters);
    const { input: query, user_id } = request;
    const found = await searchKnowledge({ base, query, chosen: {}, filter, user_id });
    return found.length > 0
      ? `What the knowledge base has on the message:\n${JSON.stringify(found)}`
      : undefined;
  } catch (thrown) {
    signal.throwIfAborted();
    warn?.("knowledge could not be searched", { run_id: request.run_id, error: String(thrown) });
    return undefined;
  }
}

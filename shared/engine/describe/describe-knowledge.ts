import { DB_ID } from "../../domain/databases/database.ts";
import { KNOWLEDGE_TABLE } from "../../knowledge/base.ts";
import type { AgentResponse } from "../../schemas/components/agent.ts";
import type { AgentSettings } from "../define/agent.ts";

/** An agent's knowledge settings as clients see them. */
export function describeKnowledge(
  settings: Pick<AgentSettings, "knowledge" | "knowledge_filters" | "enable_agentic_knowledge_filters">,
): NonNullable<AgentResponse["knowledge"]> | undefined {
  const { knowledge, knowledge_filters, enable_agentic_knowledge_filters } = settings;
  if (knowledge === undefined) return undefined;
  return {
    name: knowledge,
    db_id: DB_ID,
    knowledge_table: KNOWLEDGE_TABLE,
    ...(enable_agentic_knowledge_filters && { enable_agentic_knowledge_filters }),
    ...(knowledge_filters && { knowledge_filters }),
    references_format: "json",
  };
}

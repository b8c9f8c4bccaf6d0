import type { AgentSettings } from "../agent.ts";
import type { Tool } from "../tool.ts";
import { searchTool } from "./search-tool.ts";

type Settings = Pick<
  AgentSettings,
  "knowledge" | "search_knowledge" | "knowledge_filters" | "enable_agentic_knowledge_filters"
>;

/** The tool of an agent, or a team's leader, that may search a knowledge base; none where it has no base or may not. */
export const knowledgeTools = (settings: Settings): Tool[] =>
  settings.knowledge !== undefined && settings.search_knowledge
    ? [searchTool(settings.knowledge, settings)]
    : [];

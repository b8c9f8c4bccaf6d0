import type { Tool } from "../tool/tool.ts";
import type { KnowledgeSettings } from "./knowledge-settings.ts";
import { searchTool } from "./search-tool.ts";

/** The tool of an agent, or a team's leader, that may search a knowledge base; none where it has no base or may not. */
export const knowledgeTools = (settings: KnowledgeSettings): Tool[] =>
  settings.knowledge !== undefined && settings.search_knowledge
    ? [searchTool(settings.knowledge, settings)]
    : [];

import type { KnowledgeFilters } from "../../schemas/knowledge/knowledge-filter.ts";

/** An agent's settings for the knowledge that it may search. */
export type KnowledgeSettings = {
  /** Name of the knowledge base that it may search, and whether it does. */
  readonly knowledge?: string;
  readonly search_knowledge: boolean;
  /** Whether each run begins with a search for its message, whose results the model is shown. */
  readonly add_knowledge_to_context: boolean;
  /** The filters of every search; a request may narrow them, and so may the model if the next setting is on. */
  readonly knowledge_filters?: KnowledgeFilters;
  readonly enable_agentic_knowledge_filters: boolean;
};

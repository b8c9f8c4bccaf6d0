import type { KnowledgeFilters } from "../../schemas/knowledge/knowledge-filter.ts";

/** What an agent's declaration says of the knowledge that it may search. */
export type KnowledgeSettings = {
  /** Name of the knowledge base that it may search, and whether it does. */
  readonly knowledge?: string;
  readonly search_knowledge: boolean;
  /** What every search is limited to; a request may limit it further, and so may the model where it is let. */
  readonly knowledge_filters?: KnowledgeFilters;
  readonly enable_agentic_knowledge_filters: boolean;
};

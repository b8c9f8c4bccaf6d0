import type { FilterExpression } from "../../schemas/knowledge/knowledge-filter.ts";
import type { Reference } from "../../schemas/values/reference.ts";

/** A run's search of a knowledge base. */
export type KnowledgeQuestion = {
  /** Name of the base. */
  readonly base: string;
  readonly query: string;
  /** The filter of agent and request. */
  readonly filter: FilterExpression;
  /** Metadata that the model filters by; names that no content has are dropped. */
  readonly chosen: Readonly<Record<string, unknown>>;
  /** The user whose own knowledge is searched beside the shared one. */
  readonly user_id: string | null;
};

/** The documents nearest to a question, best first. @throws ServiceError NOT_FOUND where there is no such base */
export type SearchKnowledge = (question: KnowledgeQuestion) => Promise<readonly Reference[]>;

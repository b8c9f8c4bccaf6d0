import type { FilterExpression } from "../../schemas/knowledge/knowledge-filter.ts";
import type { Reference } from "../../schemas/values/reference.ts";

/** What a run looks up. */
export type KnowledgeQuestion = {
  /** Name of the base. */
  readonly base: string;
  readonly query: string;
  /** What agent and request limit the search to. */
  readonly filter: FilterExpression;
  /** What the model limits it to, by name; names that no content has are dropped. */
  readonly chosen: Readonly<Record<string, unknown>>;
  /** Whose knowledge is looked into beside the shared one. */
  readonly user_id: string | null;
};

/** The documents nearest to a question, best first. @throws ServiceError NOT_FOUND where there is no such base */
export type SearchKnowledge = (question: KnowledgeQuestion) => Promise<readonly Reference[]>;

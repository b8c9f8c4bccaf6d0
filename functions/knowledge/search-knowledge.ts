import { allEqual } from "../../shared/domain/knowledge/matches-filter.ts";
import { ServiceError } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import { selectBase, vectorDbOf } from "../../shared/knowledge/configured.ts";
import { searchBase, weightsOf } from "../../shared/knowledge/index.ts";
import type { knowledgeRoutes } from "../../shared/routes/knowledge.ts";
import { pageMeta } from "../../shared/schemas/values/page.ts";
import type { KnowledgeDeps } from "./knowledge-deps.ts";
import { visibilityOf } from "./visibility-of.ts";

type Needs = Pick<KnowledgeDeps, "db" | "bases" | "vectors" | "words" | "embedder" | "vectorStore">;

/**
 * Searches a base. The total is what was found of `max_results`, never all that would match.
 *
 * @throws ServiceError BAD_REQUEST for another vector database, and for a search by meaning where no embedder is configured
 * @source docs/interface/knowledge.md 7.1
 */
export const searchKnowledge: Handler<typeof knowledgeRoutes.searchKnowledge, Needs> = async (
  { body, principal },
  deps,
) => {
  const base = selectBase(deps.bases, body);
  const { id } = vectorDbOf(deps.vectorStore, deps.embedder);
  if (body.vector_db_ids && body.vector_db_ids.length > 0 && !body.vector_db_ids.includes(id)) {
    throw new ServiceError("BAD_REQUEST", `the vector database of this base is ${id}`);
  }
  const { limit, page } = body.meta ?? { limit: 20, page: 1 };
  const startedAt = performance.now();
  const found = await searchBase(deps, base, {
    query: body.query,
    max_results: body.max_results ?? base.max_results,
    filter: allEqual(body.filters ?? {}),
    owner: visibilityOf(principal, base).owner,
    weights: weightsOf(deps.embedder, base, body),
  });
  const data = found.slice((page - 1) * limit, page * limit);
  return { data, meta: pageMeta(page, limit, found.length, Math.max(0.01, performance.now() - startedAt)) };
};

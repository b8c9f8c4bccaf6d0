import { planRemoval } from "../../shared/domain/knowledge/content-plans.ts";
import { notFound } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import { wake } from "../../shared/knowledge/add-content.ts";
import type { knowledgeRoutes } from "../../shared/routes/knowledge.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { StoredContent } from "../../shared/schemas/knowledge/knowledge-content.ts";
import { changeContent } from "../../shared/stores/knowledge/change-content.ts";
import type { KnowledgeDeps } from "./knowledge-deps.ts";
import { ownContent } from "./visible-content.ts";

type Needs = Pick<KnowledgeDeps, "db" | "queue" | "log" | "clock" | "bases">;

/**
 * Deletes a content. Neither it nor a chunk of it is found once this is answered; a worker then removes what is stored
 * of it.
 *
 * @source contract, knowledge section 3; 404 for one that is not there
 */
export const removeContent: Handler<typeof knowledgeRoutes.removeContent, Needs> = async (
  { params, query, principal },
  deps,
) => {
  const content = await ownContent(deps, principal, params.content_id, query);
  if (!(await markRemoved(deps, content))) throw notFound("content", content.id);
  return { id: content.id };
};

/** @returns false where another request has removed it already */
export async function markRemoved(
  deps: Pick<Needs, "db" | "queue" | "log" | "clock">,
  content: StoredContent,
): Promise<boolean> {
  const now = epochSeconds(deps.clock);
  let removedHere = false;
  await changeContent(deps.db, content, (seen) => {
    removedHere = !seen.removed;
    return seen.removed ? undefined : planRemoval(seen, now);
  });
  if (removedHere) await wake(deps, content);
  return removedHere;
}

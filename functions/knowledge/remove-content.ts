import { notFound } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import { markRemoved } from "../../shared/knowledge/intake.ts";
import type { knowledgeRoutes } from "../../shared/routes/knowledge.ts";
import type { KnowledgeDeps } from "./knowledge-deps.ts";
import { ownContent } from "./visible-content.ts";

type Needs = Pick<KnowledgeDeps, "db" | "queue" | "log" | "clock" | "bases">;

/**
 * Deletes a content. Neither it nor a chunk of it is found once this is answered; a worker then removes what is stored
 * of it. One that is not there is 404.
 */
export const removeContent: Handler<typeof knowledgeRoutes.removeContent, Needs> = async (
  { params, query, principal },
  deps,
) => {
  const content = await ownContent(deps, principal, params.content_id, query);
  if (!(await markRemoved(deps, content))) throw notFound("content", content.id);
  return { id: content.id };
};

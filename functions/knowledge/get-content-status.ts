import type { Handler } from "../../shared/http/handler.ts";
import type { knowledgeRoutes } from "../../shared/routes/knowledge.ts";
import type { KnowledgeDeps } from "./knowledge-deps.ts";
import { visibleContent } from "./visible-content.ts";

type Needs = Pick<KnowledgeDeps, "db" | "bases">;

/**
 * What clients poll after an upload.
 *
 * @source contract, knowledge 4.6; peer-3.1 section 1: an unknown one is 404
 */
export const getContentStatus: Handler<typeof knowledgeRoutes.getContentStatus, Needs> = async (
  { params, query, principal },
  needs,
) => {
  const id = params.content_id;
  const content = await visibleContent(needs, principal, id, query);
  return { id, status: content.status, status_message: content.status_message };
};

import type { Handler } from "../../shared/http/handler.ts";
import type { knowledgeRoutes } from "../../shared/routes/knowledge.ts";
import type { KnowledgeDeps } from "./knowledge-deps.ts";
import { visibleContent } from "./visible-content.ts";

type Needs = Pick<KnowledgeDeps, "db" | "bases">;

/**
 * What clients poll after an upload.
 *
 * @source docs/interface/knowledge.md 5.2
 */
export const getContentStatus: Handler<typeof knowledgeRoutes.getContentStatus, Needs> = async (
  { params, query, principal },
  needs,
) => {
  const id = params.content_id;
  const content = await visibleContent(needs, principal, id, query);
  return { id, status: content.status, status_message: content.status_message };
};

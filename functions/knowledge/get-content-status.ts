import type { Handler } from "../../shared/http/handler.ts";
import type { knowledgeRoutes } from "../../shared/routes/knowledge.ts";
import type { KnowledgeDeps } from "./knowledge-deps.ts";
import { findContent } from "./visible-content.ts";

type Needs = Pick<KnowledgeDeps, "db" | "bases">;

/**
 * What clients poll after an upload. An unknown content is reported as a failed one.
 *
 * @source contract, knowledge 4.6
 */
export const getContentStatus: Handler<typeof knowledgeRoutes.getContentStatus, Needs> = async (
  { params, query, principal },
  needs,
) => {
  const id = params.content_id;
  const content = await findContent(needs, principal, id, query);
  if (!content) return { id, status: "failed", status_message: `content ${id} not found` };
  return { id, status: content.status, status_message: content.status_message };
};

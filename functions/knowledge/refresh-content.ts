import { planRefresh } from "../../shared/domain/knowledge/content-plans.ts";
import { notFound, ServiceError } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import { wake } from "../../shared/knowledge/intake.ts";
import type { knowledgeRoutes } from "../../shared/routes/knowledge.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { wireContent } from "../../shared/stores/knowledge/content-item.ts";
import { changeContent } from "../../shared/stores/knowledge/put-content.ts";
import type { KnowledgeDeps } from "./knowledge-deps.ts";
import { ownContent } from "./visible-content.ts";

type Needs = Pick<KnowledgeDeps, "db" | "queue" | "log" | "clock" | "bases">;

/**
 * Fetches a content again. One that is being fetched already goes on.
 *
 * @throws ServiceError BAD_REQUEST for a content that was sent, not fetched
 */
export const refreshContent: Handler<typeof knowledgeRoutes.refreshContent, Needs> = async (
  { params, query, principal },
  deps,
) => {
  const id = params.content_id;
  const seen = await ownContent(deps, principal, id, query);
  if (seen.input.kind === "held" || seen.input.kind === "upload") {
    throw new ServiceError("BAD_REQUEST", "this content was sent, so there is no address to fetch it from");
  }
  const now = epochSeconds(deps.clock);
  const content = await changeContent(deps.db, seen, (before) => planRefresh(before, now));
  if (!content || content.removed) throw notFound("content", id);
  await wake(deps, content);
  return wireContent(content);
};

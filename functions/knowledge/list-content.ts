import type { Handler } from "../../shared/http/handler.ts";
import { selectBase } from "../../shared/knowledge/configured.ts";
import type { knowledgeRoutes } from "../../shared/routes/knowledge.ts";
import { pageMeta } from "../../shared/schemas/values/page.ts";
import { wireContent } from "../../shared/stores/knowledge/content-item.ts";
import { listContents } from "../../shared/stores/knowledge/list-contents.ts";
import type { KnowledgeDeps } from "./knowledge-deps.ts";
import { visibilityOf } from "./visibility-of.ts";

type Needs = Pick<KnowledgeDeps, "db" | "bases" | "clock">;

/** One page of a base's contents. Page 0 is the first page, and echoed as 0. */
export const listContent: Handler<typeof knowledgeRoutes.listContent, Needs> = async (
  { query, principal },
  { db, bases, clock },
) => {
  const { page, limit, sort_by, sort_order } = query;
  const visibility = visibilityOf(principal, selectBase(bases, query));
  const startedAt = clock.now();
  const filter = { ...visibility, page: Math.max(1, page), limit, sort_by, sort_order };
  const { contents, total } = await listContents(db, filter);
  return { data: contents.map(wireContent), meta: pageMeta(page, limit, total, clock.now() - startedAt) };
};

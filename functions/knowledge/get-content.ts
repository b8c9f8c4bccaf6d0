import type { Handler } from "../../shared/http/handler.ts";
import type { knowledgeRoutes } from "../../shared/routes/knowledge.ts";
import { wireContent } from "../../shared/stores/knowledge/content-item.ts";
import type { KnowledgeDeps } from "./knowledge-deps.ts";
import { visibleContent } from "./visible-content.ts";

type Needs = Pick<KnowledgeDeps, "db" | "bases">;

export const getContent: Handler<typeof knowledgeRoutes.getContent, Needs> = async (
  { params, query, principal },
  needs,
) => wireContent(await visibleContent(needs, principal, params.content_id, query));

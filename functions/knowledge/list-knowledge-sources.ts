import type { Handler } from "../../shared/http/handler.ts";
import { selectBase } from "../../shared/knowledge/configured.ts";
import { wireSource } from "../../shared/knowledge/intake.ts";
import type { knowledgeRoutes } from "../../shared/routes/knowledge.ts";
import type { KnowledgeDeps } from "./knowledge-deps.ts";

export const listKnowledgeSources: Handler<
  typeof knowledgeRoutes.listKnowledgeSources,
  Pick<KnowledgeDeps, "bases">
> = async ({ params }, { bases }) => selectBase(bases, params).sources.map(wireSource);

import { httpOptionsFrom } from "../../shared/http/http-options.ts";
import { serve } from "../../shared/http/serve.ts";
import { connectKnowledge } from "../../shared/knowledge/index.ts";
import { connectProcessing, NO_EMBEDDER, OutOfTime } from "../../shared/knowledge/intake.ts";
import { knowledgeRoutes } from "../../shared/routes/knowledge.ts";
import { createLog } from "../../shared/runtime/create-log.ts";
import { newId } from "../../shared/runtime/ids.ts";
import { knowledgeEnv } from "../../shared/settings/environments.ts";
import { readEnv } from "../../shared/settings/read-env.ts";
import { auditWriter } from "../../shared/stores/audit/write-audit.ts";
import { connectDb } from "../../shared/stores/db.ts";
import { connectUploads } from "../../shared/stores/objects/upload-urls.ts";
import * as handlers from "./handlers.ts";
import type { KnowledgeDeps } from "./knowledge-deps.ts";

const env = readEnv(knowledgeEnv);
const log = createLog(env.POWERTOOLS_SERVICE_NAME);
const db = connectDb(env);
const knowledge = connectKnowledge(db, env);
const deps: KnowledgeDeps = {
  ...knowledge,
  ...connectProcessing(knowledge, env, log),
  // A content that was uploaded again meanwhile is the worker's: only there a file is read within limits.
  readFile: () => {
    throw new OutOfTime();
  },
  uploads: connectUploads(env.OBJECTS_BUCKET),
  vectorStore: env.VECTOR_STORE,
  newId,
};
if (knowledge.embedder.id === NO_EMBEDDER) log.info(knowledge.embedder.description);

export const handler = serve(knowledgeRoutes, handlers, deps, httpOptionsFrom(env, auditWriter(db)));

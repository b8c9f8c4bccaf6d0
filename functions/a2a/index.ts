import { randomUUID } from "node:crypto";
import { registry } from "#registry";
import { authorizerFrom } from "../../shared/auth/authorize.ts";
import { fromEdgeIn } from "../../shared/auth/from-edge.ts";
import { issuersIn } from "../../shared/auth/identify/issuers.ts";
import { findRunnableIn, knowsRunnableIn } from "../../shared/engine/component/find-runnable.ts";
import { createModels } from "../../shared/engine/model/create-models.ts";
import { connectSearch } from "../../shared/engine/recall/connect-search.ts";
import { connectDailyBudgets } from "../../shared/engine/turn/connect-daily-budgets.ts";
import { httpOptionsFrom } from "../../shared/http/http-options.ts";
import { serve } from "../../shared/http/serve.ts";
import { serveStream } from "../../shared/http/stream/serve-stream.ts";
import { connectKnowledge } from "../../shared/knowledge/index.ts";
import { deliveryWaker } from "../../shared/queue/delivery-queue.ts";
import { createDepthGauge } from "../../shared/queue/depth-gauge.ts";
import { connectRunQueue } from "../../shared/queue/run-queue.ts";
import { a2aRoutesAt } from "../../shared/routes/protocols/a2a.ts";
import { parseComponent } from "../../shared/runs/index.ts";
import { systemClock } from "../../shared/runtime/clock.ts";
import { createLog } from "../../shared/runtime/create-log.ts";
import { newRunId, newSessionId } from "../../shared/runtime/ids.ts";
import { a2aEnv } from "../../shared/settings/environments.ts";
import { readEnv } from "../../shared/settings/read-env.ts";
import { auditWriter } from "../../shared/stores/audit/write-audit.ts";
import { connectDb } from "../../shared/stores/db.ts";
import { depthIn } from "../../shared/stores/jobs/depth-reading.ts";
import { accessStoreOver } from "../../shared/stores/service-accounts/access-store.ts";
import type { A2aDeps } from "./a2a-deps.ts";
import { a2aHandlers } from "./a2a-handlers.ts";
import { connectCardSigner } from "./card-signer.ts";
import { discoveryOf } from "./discovery.ts";

const env = readEnv(a2aEnv);
const db = connectDb(env, deliveryWaker(env.DELIVERY_QUEUE_URL));
const models = createModels(env);
const deps: A2aDeps = {
  db,
  depth: createDepthGauge(depthIn(db), systemClock),
  queue: connectRunQueue(env.RUN_QUEUE_URL),
  searchKnowledge: connectSearch(connectKnowledge(db, env)),
  models,
  dailyBudgets: connectDailyBudgets({ db, clock: systemClock }, env),
  findRunnable: findRunnableIn(
    { registry, models, knowledge: env.KNOWLEDGE_BASES.map(({ name }) => name) },
    db,
  ),
  knowsRunnable: knowsRunnableIn(registry, db),
  clock: systemClock,
  newRunId,
  newSessionId,
  newWorkerId: () => `runs-${randomUUID()}`,
  random: Math.random,
  log: createLog(env.POWERTOOLS_SERVICE_NAME),
  settings: env,
  prefix: env.A2A_PREFIX,
  publicUrl: env.PUBLIC_URL,
  registry,
  hostAgent: env.A2A_HOST_AGENT === undefined ? undefined : parseComponent(env.A2A_HOST_AGENT),
  cardSigner: connectCardSigner(env, systemClock),
  discovery: discoveryOf(issuersIn(env)),
};
const routes = a2aRoutesAt(env.A2A_PREFIX);
const httpOptions = httpOptionsFrom(env, auditWriter(db));

/** Behind the HTTP API: every answer is buffered. */
export const handler = serve(routes, a2aHandlers, deps, httpOptions);

/** Behind CloudFront: answers are sent as they are written; that it is CloudFront, and the credential, are checked here. */
const accounts = accessStoreOver(db);
const authorize = authorizerFrom(env, async () => accounts, deps.log);
export const stream = serveStream(
  routes,
  a2aHandlers,
  deps,
  httpOptions,
  authorize,
  fromEdgeIn(env, deps.log),
);

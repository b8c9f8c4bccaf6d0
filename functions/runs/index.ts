import { randomUUID } from "node:crypto";
import { registry } from "#registry";
import { authorizerFrom } from "../../shared/auth/authorize.ts";
import { fromEdgeIn } from "../../shared/auth/from-edge.ts";
import { issuersIn } from "../../shared/auth/identify/issuers.ts";
import { findRunnableIn, knowsRunnableIn } from "../../shared/engine/component/find-runnable.ts";
import { allMembers } from "../../shared/engine/define/registry.ts";
import { connectModelGate } from "../../shared/engine/model/connect-model-gate.ts";
import { createModels } from "../../shared/engine/model/create-models.ts";
import { connectSearch } from "../../shared/engine/recall/connect-search.ts";
import { connectDailyBudgets } from "../../shared/engine/turn/connect-daily-budgets.ts";
import { httpOptionsFrom } from "../../shared/http/http-options.ts";
import { serve } from "../../shared/http/serve.ts";
import { serveStream } from "../../shared/http/stream/serve-stream.ts";
import { connectKnowledge, RUN_READING_LIMITS, readInProcess } from "../../shared/knowledge/index.ts";
import { connectSigningRoots, feedbackLinks, guardedCalls } from "../../shared/outbound/index.ts";
import { deliveryWaker } from "../../shared/queue/delivery-queue.ts";
import { createDepthGauge } from "../../shared/queue/depth-gauge.ts";
import { connectLockCheckQueue } from "../../shared/queue/lock-check-queue.ts";
import { connectRunQueue } from "../../shared/queue/run-queue.ts";
import { runRoutes } from "../../shared/routes/runs.ts";
import { lockCheckAsker, type MakeLinks } from "../../shared/runs/index.ts";
import { systemClock } from "../../shared/runtime/clock.ts";
import { createLog } from "../../shared/runtime/create-log.ts";
import { newRunId, newSessionId } from "../../shared/runtime/ids.ts";
import { createMeter } from "../../shared/runtime/metrics/create-meter.ts";
import { connectToolSecrets } from "../../shared/runtime/secrets/tool-secrets.ts";
import { runsEnv } from "../../shared/settings/environments.ts";
import { readEnv } from "../../shared/settings/read-env.ts";
import { auditWriter } from "../../shared/stores/audit/write-audit.ts";
import { connectDb } from "../../shared/stores/db.ts";
import { depthIn } from "../../shared/stores/jobs/depth-reading.ts";
import { accessStoreOver } from "../../shared/stores/service-accounts/access-store.ts";
import { connectTracing } from "../../shared/tracing/connect-tracing.ts";
import { aguiComponentOf } from "./agui/agui-component-of.ts";
import { liveComponents } from "./mcp/live-components.ts";
import type { McpDeps } from "./mcp/mcp-deps.ts";
import { runHandlers } from "./run-handlers.ts";

const env = readEnv(runsEnv);
const db = connectDb(env, deliveryWaker(env.DELIVERY_QUEUE_URL));
const log = createLog(env.POWERTOOLS_SERVICE_NAME);
const meter = createMeter(env);
const tracing = connectTracing(env, { db, clock: systemClock, log });
const models = createModels(env);
const recordAudit = auditWriter(db);
const httpOptions = { ...httpOptionsFrom(env, recordAudit), namesSignIn: env.MCP_AUTH !== "off" };
const deps: McpDeps = {
  db,
  depth: createDepthGauge(depthIn(db), systemClock),
  queue: connectRunQueue(env.RUN_QUEUE_URL),
  searchKnowledge: connectSearch(connectKnowledge(db, env)),
  toolSecrets: connectToolSecrets(env, { clock: systemClock }),
  toolLimits: { parallel: env.MAX_PARALLEL_TOOLS, timeout_seconds: env.TOOL_TIMEOUT_SECONDS },
  callOut: guardedCalls(env.FETCH_ALLOWED_HOSTS),
  // The bundle of `read-process.ts`, beside this one.
  readFile: readInProcess(new URL("./read-process.mjs", import.meta.url), RUN_READING_LIMITS),
  models,
  findRunnable: findRunnableIn(
    { registry, models, knowledge: env.KNOWLEDGE_BASES.map(({ name }) => name) },
    db,
  ),
  knowsRunnable: knowsRunnableIn(registry, db),
  clock: systemClock,
  newRunId,
  newSessionId,
  newWorkerId: () => `runs-${randomUUID()}`,
  askForLockCheck: lockCheckAsker(
    { db, lockChecks: connectLockCheckQueue(env.DEAD_LETTER_QUEUE_URL), log },
    env.LOCK_GRACE_SECONDS,
  ),
  random: Math.random,
  log,
  meter,
  settings: env,
  dailyBudgets: connectDailyBudgets({ db, clock: systemClock, log, meter }, env),
  modelGate: connectModelGate({ db, clock: systemClock, log }, env),
  ...(tracing && { tracing }),
  members: allMembers(registry),
  ...(env.FEEDBACK_LINKS === "on" && {
    feedbackLinking: {
      clock: systemClock,
      makeLinks: feedbackLinkMaker(env.WEBHOOK_SECRET ?? ""),
      settings: env,
    },
  }),
  aguiComponent: aguiComponentOf(env.AGUI_COMPONENT, registry),
  mcp: {
    registry,
    knowledge: env.KNOWLEDGE_BASES.map(({ name }) => name),
    tools: env.MCP_TOOLS,
    recordAudit,
    confirms: env.MCP_CONFIRM === "true",
    live: liveComponents(db, { registry, tools: env.MCP_TOOLS }, systemClock),
    origins: httpOptions.origins,
    publicUrl: env.PUBLIC_URL,
    issuers: issuersIn(env).flatMap(({ issuer }) =>
      issuer !== undefined && URL.canParse(issuer) ? [issuer] : [],
    ),
    signsIn: env.MCP_AUTH === "builtin",
    osId: env.OS_ID,
  },
};

/** Behind the HTTP API: every answer is buffered. */
export const handler = serve(runRoutes, runHandlers, deps, httpOptions);

/** Behind CloudFront: answers are sent as they are written; that it is CloudFront, and the credential, are checked here. */
const accounts = accessStoreOver(db);
const authorize = authorizerFrom(env, async () => accounts, deps.log);
export const stream = serveStream(
  runRoutes,
  runHandlers,
  deps,
  httpOptions,
  authorize,
  fromEdgeIn(env, deps.log),
);

/** Makes links for feedback; the secret is read with the first of them. @param secret  ARN of the secret that seals them */
export function feedbackLinkMaker(secret: string): MakeLinks {
  const signingRoots = connectSigningRoots(secret, systemClock);
  return async (address, run, keys, given) => feedbackLinks(await signingRoots(), address, run, keys, given);
}

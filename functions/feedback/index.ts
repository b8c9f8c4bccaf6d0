import { httpOptionsFrom } from "../../shared/http/http-options.ts";
import { serve } from "../../shared/http/serve.ts";
import { connectSigningRoots } from "../../shared/outbound/index.ts";
import { deliveryWaker } from "../../shared/queue/delivery-queue.ts";
import { feedbackRoutes } from "../../shared/routes/feedback.ts";
import { systemClock } from "../../shared/runtime/clock.ts";
import { createLog } from "../../shared/runtime/create-log.ts";
import { feedbackEnv } from "../../shared/settings/environments.ts";
import { readEnv } from "../../shared/settings/read-env.ts";
import { auditWriter } from "../../shared/stores/audit/write-audit.ts";
import { connectDb } from "../../shared/stores/db.ts";
import { connectFeedbackExport } from "../../shared/tracing/export-feedback.ts";
import type { FeedbackDeps } from "./feedback-deps.ts";
import * as handlers from "./handlers.ts";

const env = readEnv(feedbackEnv);
const db = connectDb(env, deliveryWaker(env.DELIVERY_QUEUE_URL));
const signingRoots = connectSigningRoots(env.WEBHOOK_SECRET ?? "", systemClock);
const exportFeedback = connectFeedbackExport(env, createLog(env.POWERTOOLS_SERVICE_NAME));
const deps: FeedbackDeps = { db, clock: systemClock, signingRoots, exportFeedback, settings: env };

export const handler = serve(feedbackRoutes, handlers, deps, httpOptionsFrom(env, auditWriter(db)));

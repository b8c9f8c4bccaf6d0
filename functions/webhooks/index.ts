import { connectChatSecrets } from "../../shared/chat/index.ts";
import { httpOptionsFrom } from "../../shared/http/http-options.ts";
import { serve } from "../../shared/http/serve.ts";
import { connectChatQueue } from "../../shared/queue/chat-queue.ts";
import { webhookRoutes } from "../../shared/routes/webhooks.ts";
import { systemClock } from "../../shared/runtime/clock.ts";
import { createLog } from "../../shared/runtime/create-log.ts";
import { webhooksEnv } from "../../shared/settings/environments.ts";
import { readEnv } from "../../shared/settings/read-env.ts";
import { connectDb } from "../../shared/stores/db.ts";
import { signatureChecks } from "./check-signature.ts";
import * as handlers from "./handlers.ts";
import type { WebhooksDeps } from "./webhooks-deps.ts";

const env = readEnv(webhooksEnv);
const deps: WebhooksDeps = {
  db: connectDb(env),
  queue: connectChatQueue(env.CHAT_QUEUE_URL),
  secrets: connectChatSecrets(env, systemClock),
  whatsapp: env.WHATSAPP,
  telegram: env.TELEGRAM,
  slack: env.SLACK,
  chatBusy: env.CHAT_BUSY,
  clock: systemClock,
  log: createLog(env.POWERTOOLS_SERVICE_NAME),
};

export const handler = serve(webhookRoutes, handlers, deps, httpOptionsFrom(env), {
  checkSignature: signatureChecks(deps),
});

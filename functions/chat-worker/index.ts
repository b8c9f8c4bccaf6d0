import type { Context, SQSBatchResponse, SQSEvent } from "aws-lambda";
import * as v from "valibot";
import {
  connectChatSecrets,
  connectSlack,
  connectTelegram,
  connectWhatsapp,
} from "../../shared/chat/index.ts";
import { ChatQueueMessage, connectChatQueue } from "../../shared/queue/chat-queue.ts";
import { deliveryWaker } from "../../shared/queue/delivery-queue.ts";
import { systemClock } from "../../shared/runtime/clock.ts";
import { createLog } from "../../shared/runtime/create-log.ts";
import { FamilyFunctions } from "../../shared/runtime/functions/family-functions.ts";
import { invokeFunction } from "../../shared/runtime/functions/invoke-function.ts";
import { newId } from "../../shared/runtime/ids.ts";
import { inLogScope } from "../../shared/runtime/log-scope.ts";
import { createMeter } from "../../shared/runtime/metrics/create-meter.ts";
import { chatWorkerEnv } from "../../shared/settings/environments.ts";
import { readEnv } from "../../shared/settings/read-env.ts";
import { connectDb } from "../../shared/stores/db.ts";
import { connectFeedbackExport } from "../../shared/tracing/export-feedback.ts";
import { runsCaller } from "./call-runs.ts";
import type { ChatWorkerDeps } from "./chat-worker-deps.ts";
import { handleMessage } from "./handle-message.ts";

const env = readEnv(chatWorkerEnv);
const log = createLog(env.POWERTOOLS_SERVICE_NAME);
const queue = connectChatQueue(env.CHAT_QUEUE_URL);
const secrets = connectChatSecrets(env, systemClock);
const deps: ChatWorkerDeps = {
  db: connectDb(env, deliveryWaker(env.DELIVERY_QUEUE_URL)),
  queue,
  ports: {
    ...(env.WHATSAPP && { whatsapp: connectWhatsapp(env.WHATSAPP, secrets.whatsapp) }),
    ...(env.TELEGRAM && { telegram: connectTelegram(env.TELEGRAM, secrets.telegram, systemClock) }),
    ...(env.SLACK && { slack: connectSlack(env.SLACK, secrets.slack, systemClock) }),
  },
  chatBusy: env.CHAT_BUSY,
  callRuns: runsCaller({
    functions: v.parse(FamilyFunctions, env.FAMILY_FUNCTIONS),
    adminScope: env.ADMIN_SCOPE,
    invoke: invokeFunction(),
    clock: systemClock,
    newRequestId: newId,
  }),
  exportFeedback: connectFeedbackExport(env, log),
  newWorkerId: newId,
  clock: systemClock,
  meter: createMeter(env),
  log,
};

/** Time reserved at the end of the function's life to send an answer. */
const ENDING_MS = 30_000;

/** Answers messages of chats; what has to be tried again comes back as a message, and blocks only its conversation. */
export async function handler(event: SQSEvent, context: Context): Promise<SQSBatchResponse> {
  const until = systemClock.now() + context.getRemainingTimeInMillis() - ENDING_MS;
  const failures = await Promise.all(event.Records.map((record) => handleRecord(record, until)));
  return { batchItemFailures: failures.flat() };
}

async function handleRecord({ body, messageId, receiptHandle }: SQSEvent["Records"][number], until: number) {
  try {
    const { key } = v.parse(ChatQueueMessage, JSON.parse(body));
    const handled = await inLogScope({ chat_wakeup: messageId }, () => handleMessage(deps, key, until));
    if (handled === "done") return [];
    await queue.setRedelivery(receiptHandle, Math.ceil(handled.again_after_seconds));
  } catch (error) {
    log.error("a wake-up of a chat could not be handled", { message_id: messageId, error });
  }
  return [{ itemIdentifier: messageId }];
}

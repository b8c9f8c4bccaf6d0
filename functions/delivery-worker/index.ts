import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import * as v from "valibot";
import { connectSigningRoots } from "../../shared/outbound/index.ts";
import { connectEventBus, connectTaskTokens } from "../../shared/outbound/sending.ts";
import { connectDeliveryQueue, DeliveryMessage } from "../../shared/queue/delivery-queue.ts";
import { systemClock } from "../../shared/runtime/clock.ts";
import { createLog } from "../../shared/runtime/create-log.ts";
import { newId } from "../../shared/runtime/ids.ts";
import { inLogScope } from "../../shared/runtime/log-scope.ts";
import { createMeter } from "../../shared/runtime/metrics/create-meter.ts";
import { deliveryWorkerEnv } from "../../shared/settings/environments.ts";
import { readEnv } from "../../shared/settings/read-env.ts";
import { connectDb } from "../../shared/stores/db.ts";
import type { DeliveryWorkerDeps } from "./delivery-worker-deps.ts";
import { processSubject } from "./process-subject.ts";

const env = readEnv(deliveryWorkerEnv);
const deps: DeliveryWorkerDeps = {
  db: connectDb(env),
  queue: connectDeliveryQueue(env.DELIVERY_QUEUE_URL),
  signingRoots: connectSigningRoots(env.WEBHOOK_SECRET ?? "", systemClock),
  bus: env.EVENT_BUS === undefined ? undefined : connectEventBus(env.EVENT_BUS),
  tasks: env.TASK_TOKENS === "true" ? connectTaskTokens() : undefined,
  newWorkerId: newId,
  random: Math.random,
  clock: systemClock,
  log: createLog(env.POWERTOOLS_SERVICE_NAME),
  meter: createMeter(env),
  settings: env,
};

/** Sends what is due; a message that failed comes back, and the sweeper sends one too. */
export async function handler(event: SQSEvent): Promise<SQSBatchResponse> {
  const failures = await Promise.all(event.Records.map(handleRecord));
  return { batchItemFailures: failures.flat() };
}

async function handleRecord({ body, messageId }: SQSEvent["Records"][number]) {
  try {
    const message = v.parse(DeliveryMessage, JSON.parse(body));
    // Messages from before all subscribers were switched off.
    if (!deps.db.outbox) return [];
    await inLogScope({ subject: message.subject }, () => processSubject(deps, message));
    return [];
  } catch (error) {
    deps.log.error("deliveries could not be processed", { message_id: messageId, error });
    return [{ itemIdentifier: messageId }];
  }
}

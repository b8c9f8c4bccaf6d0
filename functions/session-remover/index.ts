import type { Context, SQSBatchResponse, SQSEvent } from "aws-lambda";
import * as v from "valibot";
import { deliveryWaker } from "../../shared/queue/delivery-queue.ts";
import { connectRemovalQueue, RemovalMessage } from "../../shared/queue/removal-queue.ts";
import { systemClock } from "../../shared/runtime/clock.ts";
import { createLog } from "../../shared/runtime/create-log.ts";
import { sessionRemoverEnv } from "../../shared/settings/environments.ts";
import { readEnv } from "../../shared/settings/read-env.ts";
import { connectDb } from "../../shared/stores/db.ts";
import { removeObjectsFrom } from "./remove-objects-of.ts";
import { removeSession } from "./remove-session.ts";
import type { RemoverDeps } from "./remover-deps.ts";

const env = readEnv(sessionRemoverEnv);
const db = connectDb(env, deliveryWaker(env.DELIVERY_QUEUE_URL));
const deps: RemoverDeps = {
  db,
  removals: connectRemovalQueue(env.REMOVAL_QUEUE_URL),
  removeObjectsOf: removeObjectsFrom(db),
  clock: systemClock,
  log: createLog(env.POWERTOOLS_SERVICE_NAME),
  settings: env,
};

/** Removes the sessions of a batch, one after the other; what failed comes back as a message. */
export async function handler(event: SQSEvent, context: Context): Promise<SQSBatchResponse> {
  const failures: SQSBatchResponse["batchItemFailures"] = [];
  for (const { body, messageId } of event.Records) {
    try {
      const message = v.parse(RemovalMessage, JSON.parse(body));
      await removeSession(deps, message, context.getRemainingTimeInMillis());
    } catch (error) {
      deps.log.error("a session could not be removed", { message_id: messageId, error });
      failures.push({ itemIdentifier: messageId });
    }
  }
  return { batchItemFailures: failures };
}

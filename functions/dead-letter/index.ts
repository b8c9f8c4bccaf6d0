import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import * as v from "valibot";
import { type CheckLocksDeps, checkLocks } from "../../shared/engine/lifecycle/check-locks.ts";
import { deliveryWaker } from "../../shared/queue/delivery-queue.ts";
import { connectLockCheckQueue, DeadLetterMessage } from "../../shared/queue/lock-check-queue.ts";
import { connectRunQueue } from "../../shared/queue/run-queue.ts";
import { systemClock } from "../../shared/runtime/clock.ts";
import { createLog } from "../../shared/runtime/create-log.ts";
import { createMeter } from "../../shared/runtime/metrics/create-meter.ts";
import { deadLetterEnv } from "../../shared/settings/environments.ts";
import { readEnv } from "../../shared/settings/read-env.ts";
import { connectDb } from "../../shared/stores/db.ts";
import { type DeadLetterDeps, failDeadLetter } from "./fail-dead-letter.ts";

const env = readEnv(deadLetterEnv);
const deps: DeadLetterDeps & CheckLocksDeps = {
  db: connectDb(env, deliveryWaker(env.DELIVERY_QUEUE_URL)),
  queue: connectRunQueue(env.RUN_QUEUE_URL),
  lockChecks: connectLockCheckQueue(env.DEAD_LETTER_QUEUE_URL),
  clock: systemClock,
  log: createLog(env.POWERTOOLS_SERVICE_NAME),
  meter: createMeter(env),
  settings: env,
};

/**
 * Turns messages that no worker could finish into failed jobs, so that the job list is the only dead-letter list; and
 * checks the locks when a check is due, which recovers the jobs of dead workers.
 */
export async function handler(event: SQSEvent): Promise<SQSBatchResponse> {
  const failures: SQSBatchResponse["batchItemFailures"] = [];
  for (const { body, messageId } of event.Records) {
    try {
      await processMessage(v.parse(DeadLetterMessage, JSON.parse(body)));
    } catch (error) {
      deps.log.error("a dead letter could not be processed", { message_id: messageId, error });
      failures.push({ itemIdentifier: messageId });
    }
  }
  return { batchItemFailures: failures };
}

async function processMessage(message: DeadLetterMessage): Promise<void> {
  if ("job_id" in message) return failDeadLetter(deps, message.job_id);
  const recovered = await checkLocks(deps);
  if (Object.values(recovered).some((n) => n > 0)) deps.log.info("jobs of silent workers", recovered);
}

import type { Context, SQSBatchResponse, SQSEvent } from "aws-lambda";
import * as v from "valibot";
import { RefreshCall } from "../../shared/domain/metrics/refresh-call.ts";
import { basesOf } from "../../shared/knowledge/configured.ts";
import { connectMigrations } from "../../shared/migrations/connect-migrations.ts";
import { deliveryWaker } from "../../shared/queue/delivery-queue.ts";
import { connectLockCheckQueue } from "../../shared/queue/lock-check-queue.ts";
import { connectRemovalQueue, connectUserRemovalQueue } from "../../shared/queue/removal-queue.ts";
import { connectRunQueue } from "../../shared/queue/run-queue.ts";
import { newId } from "../../shared/runtime/ids.ts";
import { inLogScope } from "../../shared/runtime/log-scope.ts";
import { createMeter } from "../../shared/runtime/metrics/create-meter.ts";
import { housekeeperEnv } from "../../shared/settings/environments.ts";
import { readEnv } from "../../shared/settings/read-env.ts";
import { refreshDays } from "./figures/refresh-days.ts";
import { SLICE_SIZE } from "./figures/refresher-deps.ts";
import { type HousekeeperDeps, processMessages } from "./process-messages.ts";
import { removeObjectsFrom } from "./removals/remove-objects-of.ts";

const env = readEnv(housekeeperEnv);
const { db, ...migrating } = connectMigrations(env, deliveryWaker(env.DELIVERY_QUEUE_URL));
const deps: HousekeeperDeps = {
  ...migrating,
  db,
  queue: connectRunQueue(env.RUN_QUEUE_URL),
  lockChecks: connectLockCheckQueue(env.DEAD_LETTER_QUEUE_URL),
  removals: connectRemovalQueue(env.DEAD_LETTER_QUEUE_URL),
  userRemovals: connectUserRemovalQueue(env.DEAD_LETTER_QUEUE_URL),
  bases: basesOf(env.KNOWLEDGE_BASES).map(({ id }) => id),
  removeObjectsOf: removeObjectsFrom(db),
  newWorkerId: newId,
  meter: createMeter(env),
  settings: env,
};

/**
 * What has to be done now and then, by messages: checks of locks, dead letters, removals of sessions and of users' data, and migrations. The family of
 * metrics calls it too, without a queue: then it computes the figures of a scope.
 */
export async function handler(
  event: SQSEvent | RefreshCall,
  context: Context,
): Promise<SQSBatchResponse | undefined> {
  const lifeMs = context.getRemainingTimeInMillis();
  if ("Records" in event) return processMessages(deps, event.Records, lifeMs);
  const call = v.parse(RefreshCall, event);
  await inLogScope({ request_id: context.awsRequestId }, () =>
    refreshDays({ ...deps, sliceSize: SLICE_SIZE }, call, lifeMs),
  );
  return undefined;
}

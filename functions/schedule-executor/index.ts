import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import * as v from "valibot";
import { deliveryWaker } from "../../shared/queue/delivery-queue.ts";
import { connectScheduleQueue, ScheduleQueueMessage } from "../../shared/queue/schedule-queue.ts";
import { systemClock } from "../../shared/runtime/clock.ts";
import { createLog } from "../../shared/runtime/create-log.ts";
import { FamilyFunctions } from "../../shared/runtime/functions/family-functions.ts";
import { invokeFunction } from "../../shared/runtime/functions/invoke-function.ts";
import { createMeter } from "../../shared/runtime/metrics/create-meter.ts";
import { connectSchedulerRemoval } from "../../shared/scheduler/connect-scheduler.ts";
import { ownerRefusalIn } from "../../shared/scheduler/owner-refusal-in.ts";
import { scheduleExecutorEnv } from "../../shared/settings/environments.ts";
import { readEnv } from "../../shared/settings/read-env.ts";
import { connectDb } from "../../shared/stores/db.ts";
import { endpointCaller } from "./call-endpoint.ts";
import type { ExecutorDeps } from "./executor-deps.ts";
import { fireSlot } from "./fire-slot.ts";
import { processDueRun } from "./process-due-run.ts";

const env = readEnv(scheduleExecutorEnv);
const db = connectDb(env, deliveryWaker(env.DELIVERY_QUEUE_URL));
const deps: ExecutorDeps = {
  db,
  queue: connectScheduleQueue(env.SCHEDULE_QUEUE_URL),
  call: endpointCaller({
    functions: v.parse(FamilyFunctions, env.FAMILY_FUNCTIONS),
    adminScope: env.ADMIN_SCOPE,
    invoke: { run: invokeFunction(), once: invokeFunction(1) },
    clock: systemClock,
  }),
  ownerRefusalOf: ownerRefusalIn({ db, adminScope: env.ADMIN_SCOPE, clock: systemClock }),
  scheduler: connectSchedulerRemoval(env),
  clock: systemClock,
  log: createLog(env.POWERTOOLS_SERVICE_NAME),
  meter: createMeter(env),
};

/** Handles due slots and due attempts side by side; what failed comes back as a message. */
export async function handler(event: SQSEvent): Promise<SQSBatchResponse> {
  const results = await Promise.allSettled(event.Records.map(({ body }) => handleRecord(body)));
  return {
    batchItemFailures: results.flatMap((result, i) => {
      if (result.status === "fulfilled") return [];
      const messageId = event.Records[i]?.messageId ?? "";
      deps.log.error("a schedule could not be run", { message_id: messageId, error: result.reason });
      return [{ itemIdentifier: messageId }];
    }),
  };
}

async function handleRecord(body: string): Promise<void> {
  const message = v.parse(ScheduleQueueMessage, JSON.parse(body));
  if ("schedule_run_id" in message) return processDueRun(deps, message);
  return fireSlot(deps, message);
}

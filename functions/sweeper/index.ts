import { connectChatQueue } from "../../shared/queue/chat-queue.ts";
import { connectDeliveryQueue, deliveryWaker } from "../../shared/queue/delivery-queue.ts";
import { connectEvalQueue } from "../../shared/queue/eval-queue.ts";
import { connectKnowledgeQueue } from "../../shared/queue/knowledge-queue.ts";
import { connectLockCheckQueue } from "../../shared/queue/lock-check-queue.ts";
import { connectMigrationQueue } from "../../shared/queue/migration-queue.ts";
import { connectRemovalQueue } from "../../shared/queue/removal-queue.ts";
import { connectRunQueue } from "../../shared/queue/run-queue.ts";
import { connectScheduleQueue } from "../../shared/queue/schedule-queue.ts";
import { systemClock } from "../../shared/runtime/clock.ts";
import { createLog } from "../../shared/runtime/create-log.ts";
import { connectFunctionVersions } from "../../shared/runtime/functions/function-versions.ts";
import { createMeter } from "../../shared/runtime/metrics/create-meter.ts";
import { sweeperEnv } from "../../shared/settings/environments.ts";
import { readEnv } from "../../shared/settings/read-env.ts";
import { chatWork } from "../../shared/stores/chats/chat-work.ts";
import { migrationWork } from "../../shared/stores/databases/migration-work.ts";
import { connectDb } from "../../shared/stores/db.ts";
import { evalWork } from "../../shared/stores/evals/eval-work.ts";
import { contentWork } from "../../shared/stores/knowledge/content-item.ts";
import { deliveryWork } from "../../shared/stores/outbox/delivery-item.ts";
import { scheduleRunWork } from "../../shared/stores/schedules/runs/run-item.ts";
import { deleteOldVersions, isHourly } from "./delete-old-versions.ts";
import { resendRemovals } from "./resend-removals.ts";
import { type Sweeps, sweep } from "./sweep.ts";
import type { SweeperDeps, Swept } from "./sweeper-deps.ts";

const env = readEnv(sweeperEnv);
const deps: SweeperDeps = {
  db: connectDb(env, deliveryWaker(env.DELIVERY_QUEUE_URL)),
  queue: connectRunQueue(env.RUN_QUEUE_URL),
  lockChecks: connectLockCheckQueue(env.DEAD_LETTER_QUEUE_URL),
  clock: systemClock,
  log: createLog(env.POWERTOOLS_SERVICE_NAME),
  meter: createMeter(env),
  settings: env,
};

const { db } = deps;
const schedules = connectScheduleQueue(env.SCHEDULE_QUEUE_URL);
const removals = connectRemovalQueue(env.REMOVAL_QUEUE_URL);
const migrations = connectMigrationQueue(env.MIGRATION_QUEUE_URL);
const contents = connectKnowledgeQueue(env.KNOWLEDGE_QUEUE_URL);
const evals = connectEvalQueue(env.EVAL_QUEUE_URL);
const chats = connectChatQueue(env.CHAT_QUEUE_URL);
const deliveries = connectDeliveryQueue(env.DELIVERY_QUEUE_URL);
const versions = connectFunctionVersions(env.WORKER_FUNCTION);

/** Every kind of leased work beside jobs, and what else is looked after. */
const sweeps: Sweeps = {
  removals: (now) => resendRemovals({ db, removals }, now),
  schedule_runs: (now) => scheduleRunWork.sweep(db, { send: schedules.wake }, now),
  migrations: (now) => migrationWork.sweep(db, migrations, now),
  contents: (now) => contentWork.sweep(db, contents, now),
  evals: (now) => evalWork.sweep(db, evals, now),
  chats: (now) => chatWork.sweep(db, chats, now),
  // Without subscribers to events, nothing is read.
  deliveries: async (now) => (db.outbox ? deliveryWork.sweep(db, deliveries, now) : 0),
  versions: async (now) => (isHourly(now) ? deleteOldVersions({ ...deps, versions, settings: env }, now) : 0),
};

/**
 * Runs by a timer: releases jobs whose worker went silent, and sends lost messages again of everything that has any. Once an
 * hour it deletes the worker's old versions.
 */
export const handler = (): Promise<Swept> => sweep(deps, sweeps);

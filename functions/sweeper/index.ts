import { connectChatQueue } from "../../shared/queue/chat-queue.ts";
import { connectDeliveryQueue, deliveryWaker } from "../../shared/queue/delivery-queue.ts";
import { connectEvalQueue } from "../../shared/queue/eval-queue.ts";
import { connectKnowledgeQueue } from "../../shared/queue/knowledge-queue.ts";
import { connectLockCheckQueue } from "../../shared/queue/lock-check-queue.ts";
import { connectMigrationQueue } from "../../shared/queue/migration-queue.ts";
import { connectRemovalQueue, connectUserRemovalQueue } from "../../shared/queue/removal-queue.ts";
import { connectRunQueue } from "../../shared/queue/run-queue.ts";
import { connectScheduleQueue } from "../../shared/queue/schedule-queue.ts";
import { systemClock } from "../../shared/runtime/clock.ts";
import { createLog } from "../../shared/runtime/create-log.ts";
import { connectFunctionVersions } from "../../shared/runtime/functions/function-versions.ts";
import { createMeter } from "../../shared/runtime/metrics/create-meter.ts";
import { sweeperEnv } from "../../shared/settings/environments.ts";
import { readEnv } from "../../shared/settings/read-env.ts";
import { exportSeals, sealAudit } from "../../shared/stores/audit/seal-audit.ts";
import { chatWork } from "../../shared/stores/chats/index.ts";
import { migrationWork } from "../../shared/stores/databases/index.ts";
import { connectDb } from "../../shared/stores/db.ts";
import { evalWork } from "../../shared/stores/evals/index.ts";
import { contentWork } from "../../shared/stores/knowledge/content-item.ts";
import { connectObjects } from "../../shared/stores/objects/connect-objects.ts";
import { deliveryWork } from "../../shared/stores/outbox/index.ts";
import { scheduleRunWork } from "../../shared/stores/schedules/index.ts";
import { userRemovalWork } from "../../shared/stores/users/index.ts";
import type { Sweepable, WakeDeps } from "../../shared/work/index.ts";
import { deleteOldVersions, isHourly } from "./delete-old-versions.ts";
import { recordOverdue } from "./record-overdue.ts";
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

const overdue = (kind: string) => (seconds: number) => recordOverdue(deps.meter, kind, seconds);

/** One row of leased work: sends what is due to the queue of its workers. */
const due =
  <Message extends object>(work: Sweepable<Message>, queue: WakeDeps<Message>["queue"]) =>
  (now: number): Promise<number> =>
    work.sweep(db, queue, now, overdue(work.kind));
const removals = connectRemovalQueue(env.DEAD_LETTER_QUEUE_URL);
const schedules = connectScheduleQueue(env.SCHEDULE_QUEUE_URL);
const deliveries = due(deliveryWork, connectDeliveryQueue(env.DELIVERY_QUEUE_URL));
/** Bucket that gets a copy of the audit, if one is named. */
const exported = env.AUDIT_EXPORT_BUCKET === undefined ? undefined : connectObjects(env.AUDIT_EXPORT_BUCKET);
const versions = connectFunctionVersions(env.WORKER_FUNCTION);

/** A row for each kind of leased work but jobs, and for what else is looked after. */
const sweeps: Sweeps = {
  schedule_runs: due(scheduleRunWork, { send: schedules.wake }),
  migrations: due(migrationWork, connectMigrationQueue(env.DEAD_LETTER_QUEUE_URL)),
  contents: due(contentWork, connectKnowledgeQueue(env.KNOWLEDGE_QUEUE_URL)),
  evals: due(evalWork, connectEvalQueue(env.EVAL_QUEUE_URL)),
  chats: due(chatWork, connectChatQueue(env.CHAT_QUEUE_URL)),
  // Without subscribers to events, nothing is read.
  deliveries: async (now) => (db.outbox ? deliveries(now) : 0),
  user_removals: due(userRemovalWork, connectUserRemovalQueue(env.DEAD_LETTER_QUEUE_URL)),
  removals: (now) => resendRemovals({ db, removals, overdue: overdue("removal") }, now),
  sealed: async (now) => (await sealAudit(db, exported !== undefined, now * 1000)).length,
  exported: async () => (exported ? exportSeals(db, exported) : 0),
  versions: async (now) => (isHourly(now) ? deleteOldVersions({ ...deps, versions, settings: env }, now) : 0),
};

/**
 * Runs by a timer: releases jobs whose worker went silent, and sends lost messages again of everything that has any. Once an
 * hour it deletes the worker's old versions.
 */
export const handler = (): Promise<Swept> => sweep(deps, sweeps);

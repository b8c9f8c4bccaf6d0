import { randomUUID } from "node:crypto";
import type { Context, SQSBatchResponse, SQSEvent } from "aws-lambda";
import * as v from "valibot";
import { registry } from "#registry";
import { findRunnableIn } from "../../shared/engine/component/find-runnable.ts";
import { connectModelGate } from "../../shared/engine/model/connect-model-gate.ts";
import { createModels } from "../../shared/engine/model/create-models.ts";
import { connectSearch } from "../../shared/engine/recall/connect-search.ts";
import { connectDailyBudgets } from "../../shared/engine/turn/connect-daily-budgets.ts";
import { connectKnowledge, RUN_READING_LIMITS, readInProcess } from "../../shared/knowledge/index.ts";
import { guardedCalls } from "../../shared/outbound/index.ts";
import { connectChatQueue } from "../../shared/queue/chat-queue.ts";
import { deliveryWaker } from "../../shared/queue/delivery-queue.ts";
import { connectLockCheckQueue } from "../../shared/queue/lock-check-queue.ts";
import { connectRunMessages } from "../../shared/queue/run-messages.ts";
import { connectRunQueue, RunMessage } from "../../shared/queue/run-queue.ts";
import { createRunningGauge } from "../../shared/queue/running-gauge.ts";
import { connectScheduleQueue } from "../../shared/queue/schedule-queue.ts";
import {
  codePin,
  executeJob,
  isPassedOn,
  lockCheckAsker,
  type WorkerDeps,
} from "../../shared/runs/worker.ts";
import { systemClock } from "../../shared/runtime/clock.ts";
import { createLog } from "../../shared/runtime/create-log.ts";
import { connectFunctionVersions } from "../../shared/runtime/functions/function-versions.ts";
import { inLogScope } from "../../shared/runtime/log-scope.ts";
import { createMeter } from "../../shared/runtime/metrics/create-meter.ts";
import { connectToolSecrets } from "../../shared/runtime/secrets/tool-secrets.ts";
import { workerEnv } from "../../shared/settings/environments.ts";
import { readEnv } from "../../shared/settings/read-env.ts";
import { connectDb } from "../../shared/stores/db.ts";
import { listRunningOf } from "../../shared/stores/jobs/jobs-of-user.ts";
import { connectTracing } from "../../shared/tracing/connect-tracing.ts";
import { executeBatch } from "./execute-batch.ts";

const env = readEnv(workerEnv);

const db = connectDb(env, deliveryWaker(env.DELIVERY_QUEUE_URL));
const log = createLog(env.POWERTOOLS_SERVICE_NAME);
const meter = createMeter(env);
const tracing = connectTracing(env, { db, clock: systemClock, log });
const models = createModels(env);
const lockChecks = connectLockCheckQueue(env.DEAD_LETTER_QUEUE_URL);
const deps: WorkerDeps = {
  db,
  running: createRunningGauge((userId) => listRunningOf(db, userId), systemClock),
  queue: connectRunQueue(env.RUN_QUEUE_URL),
  askForLockCheck: lockCheckAsker({ db, lockChecks, log }, env.LOCK_GRACE_SECONDS),
  searchKnowledge: connectSearch(connectKnowledge(db, env)),
  toolSecrets: connectToolSecrets(env, { clock: systemClock }),
  toolLimits: { parallel: env.MAX_PARALLEL_TOOLS, timeout_seconds: env.TOOL_TIMEOUT_SECONDS },
  callOut: guardedCalls(env.FETCH_ALLOWED_HOSTS),
  // The bundle of `read-process.ts`, beside this one.
  readFile: readInProcess(new URL("./read-process.mjs", import.meta.url), RUN_READING_LIMITS),
  schedules: connectScheduleQueue(env.SCHEDULE_QUEUE_URL),
  chats: connectChatQueue(env.CHAT_QUEUE_URL),
  models,
  findRunnable: findRunnableIn(
    { registry, models, knowledge: env.KNOWLEDGE_BASES.map(({ name }) => name) },
    db,
  ),
  pin: codePin(env, connectFunctionVersions(env.AWS_LAMBDA_FUNCTION_NAME)),
  clock: systemClock,
  newWorkerId: () => `worker-${randomUUID()}`,
  random: Math.random,
  log,
  meter,
  settings: env,
  dailyBudgets: connectDailyBudgets({ db, clock: systemClock, log, meter }, env),
  modelGate: connectModelGate({ db, clock: systemClock, log }, env),
  ...(tracing && { tracing }),
};

const messages = connectRunMessages(env.RUN_QUEUE_URL);

/**
 * Executes the runs of a batch, and further ones while slots are free and time remains. A run that failed has had its
 * outcome written and counts as done; only what could not be written comes back as a message.
 */
export async function handler(event: SQSEvent, context: Context): Promise<SQSBatchResponse> {
  const { Records } = event;
  const remainingMs = () => context.getRemainingTimeInMillis();
  const failed = await executeBatch(
    {
      execute: async (body) => {
        const { hop, ...due } = v.parse(RunMessage, JSON.parse(body));
        const scope = { request_id: context.awsRequestId, job_id: due.job_id, run_id: due.job_id };
        await inLogScope(scope, () => executeJob(deps, due, remainingMs(), hop));
      },
      messages,
      clock: systemClock,
      remainingMs,
      slots: isPassedOn(event) ? Records.length : Math.max(env.WORKER_BATCH_SIZE, Records.length),
      log,
    },
    Records.map(({ body }) => body),
  );
  return {
    batchItemFailures: failed.map((position) => ({ itemIdentifier: Records[position]?.messageId ?? "" })),
  };
}

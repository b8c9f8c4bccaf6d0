import type { Context, SQSBatchResponse, SQSEvent } from "aws-lambda";
import * as v from "valibot";
import { registry } from "#registry";
import { findRunnableIn } from "../../shared/engine/component/find-runnable.ts";
import { connectModelGate } from "../../shared/engine/model/connect-model-gate.ts";
import { createModels } from "../../shared/engine/model/create-models.ts";
import { connectSearch } from "../../shared/engine/recall/connect-search.ts";
import { connectDailyBudgets } from "../../shared/engine/turn/connect-daily-budgets.ts";
import type { EvalDeps } from "../../shared/evals/worker.ts";
import { processEval } from "../../shared/evals/worker.ts";
import { connectKnowledge } from "../../shared/knowledge/index.ts";
import { guardedCalls } from "../../shared/outbound/index.ts";
import { deliveryWaker } from "../../shared/queue/delivery-queue.ts";
import { connectEvalQueue, EvalMessage } from "../../shared/queue/eval-queue.ts";
import { systemClock } from "../../shared/runtime/clock.ts";
import { createLog } from "../../shared/runtime/create-log.ts";
import { newId } from "../../shared/runtime/ids.ts";
import { inLogScope } from "../../shared/runtime/log-scope.ts";
import { createMeter } from "../../shared/runtime/metrics/create-meter.ts";
import { connectToolSecrets } from "../../shared/runtime/secrets/tool-secrets.ts";
import { evalWorkerEnv } from "../../shared/settings/environments.ts";
import { readEnv } from "../../shared/settings/read-env.ts";
import { connectDb } from "../../shared/stores/db.ts";
import { connectTracing } from "../../shared/tracing/connect-tracing.ts";

const env = readEnv(evalWorkerEnv);
const db = connectDb(env, deliveryWaker(env.DELIVERY_QUEUE_URL));
const models = createModels(env);
const knowledge = env.KNOWLEDGE_BASES.map(({ name }) => name);
const log = createLog(env.POWERTOOLS_SERVICE_NAME);
const tracing = connectTracing(env, { db, clock: systemClock, log });
const MIB = 1024 * 1024;
const deps: EvalDeps = {
  db,
  models,
  findRunnable: findRunnableIn({ registry, models, knowledge }, db),
  searchKnowledge: connectSearch(connectKnowledge(db, env)),
  toolSecrets: connectToolSecrets(env, { clock: systemClock }),
  toolLimits: { parallel: env.MAX_PARALLEL_TOOLS, timeout_seconds: env.TOOL_TIMEOUT_SECONDS },
  callOut: guardedCalls(env.FETCH_ALLOWED_HOSTS),
  queue: connectEvalQueue(env.EVAL_QUEUE_URL),
  newWorkerId: newId,
  memoryMib: () => process.memoryUsage.rss() / MIB,
  clock: systemClock,
  log,
  workMeter: createMeter(env),
  settings: env,
  dailyBudgets: connectDailyBudgets({ db, clock: systemClock }, env),
  modelGate: connectModelGate({ db, clock: systemClock, log }, env),
  ...(tracing && { tracing }),
};

/** Processes the evaluations that messages name; a message that failed comes back. */
export async function handler(event: SQSEvent, context: Context): Promise<SQSBatchResponse> {
  const failures: SQSBatchResponse["batchItemFailures"] = [];
  for (const { body, messageId } of event.Records) {
    try {
      const { eval_id } = v.parse(EvalMessage, JSON.parse(body));
      await inLogScope({ eval_id }, () => processEval(deps, eval_id, context.getRemainingTimeInMillis()));
    } catch (error) {
      deps.log.error("an evaluation could not be processed", { message_id: messageId, error });
      failures.push({ itemIdentifier: messageId });
    }
  }
  return { batchItemFailures: failures };
}

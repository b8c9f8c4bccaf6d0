import { type IFunction, RecursiveLoop } from "aws-cdk-lib/aws-lambda";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { evalWorkerEnv } from "../../shared/runtime/function-env.ts";
import type { AppConfig } from "../config/config.ts";
import type { ServiceValues } from "../config/service-values.ts";
import { consume } from "../functions/consume.ts";
import { environmentFor } from "../functions/environment.ts";
import { type Grantable, grantNeeds } from "../functions/grants.ts";
import { createServiceFunction } from "../functions/service-function.ts";
import { createWakeupQueue } from "../functions/wakeup-queue.ts";

/** As long as a function may live: a run that is evaluated may take as long as any. */
const TIMEOUT_SECONDS = 900;
/** As the worker of runs has. */
const MEMORY_MB = 1024;
const MAX_CONCURRENCY = 8;

/** Evaluations that are under way. */
export const createEvalQueue = (scope: Construct): Queue =>
  createWakeupQueue(scope, "EvalQueue", {
    timeoutSeconds: TIMEOUT_SECONDS,
    retentionHours: 12,
    truth: "the record of the evaluation",
  });

/** Runs and judges what evaluations are about. */
export function createEvalWorker(
  scope: Construct,
  config: AppConfig,
  values: ServiceValues,
  resources: Grantable,
): IFunction {
  const worker = createServiceFunction(scope, "EvalWorker", config, {
    bundle: "eval-worker",
    description: "Works evaluations off",
    timeoutSeconds: TIMEOUT_SECONDS,
    memoryMb: MEMORY_MB,
    // What it does not finish it sends on to itself, which Lambda would take for a loop.
    recursiveLoop: RecursiveLoop.ALLOW,
    environment: environmentFor(evalWorkerEnv, { ...values, POWERTOOLS_SERVICE_NAME: "eval-worker" }),
  });
  consume(worker, resources.evalQueue, {
    // Each takes a function's whole life if it must.
    batchSize: 1,
    maxConcurrency: MAX_CONCURRENCY,
  });
  grantNeeds(worker, "eval-worker", resources);
  return worker;
}

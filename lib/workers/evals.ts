import { type IFunction, RecursiveLoop } from "aws-cdk-lib/aws-lambda";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { evalWorkerEnv } from "../../shared/settings/environments.ts";
import type { AppConfig } from "../config/config.ts";
import type { ServiceValues } from "../config/service-values.ts";
import { consume } from "../functions/consume.ts";
import { environmentFor } from "../functions/environment.ts";
import { type Grantable, grantNeeds } from "../functions/grants.ts";
import { createServiceFunction } from "../functions/service-function.ts";
import { createWakeupQueue } from "../functions/wakeup-queue.ts";

/** Lambda's limit: an evaluated run may take as long as any other. */
const TIMEOUT_SECONDS = 900;
/** Same as the worker of runs. */
const MEMORY_MB = 1024;
const MAX_CONCURRENCY = 8;

/** Wake-up messages for evaluations in progress. */
export const createEvalQueue = (scope: Construct): Queue =>
  createWakeupQueue(scope, "EvalQueue", {
    timeoutSeconds: TIMEOUT_SECONDS,
    retentionHours: 12,
    truth: "the record of the evaluation",
  });

/** The function that executes and judges the runs of evaluations. */
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
    // It sends unfinished work to its own queue, which Lambda would detect as a loop.
    recursiveLoop: RecursiveLoop.ALLOW,
    environment: environmentFor(evalWorkerEnv, { ...values, POWERTOOLS_SERVICE_NAME: "eval-worker" }),
  });
  consume(worker, resources.evalQueue, {
    // Each may take the function's whole timeout.
    batchSize: 1,
    maxConcurrency: MAX_CONCURRENCY,
  });
  grantNeeds(worker, "eval-worker", resources);
  return worker;
}

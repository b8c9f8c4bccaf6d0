import type { IFunction } from "aws-cdk-lib/aws-lambda";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { sessionRemoverEnv } from "../../shared/settings/environments.ts";
import type { AppConfig } from "../config/config.ts";
import type { ServiceValues } from "../config/service-values.ts";
import { consume } from "../functions/consume.ts";
import { environmentFor } from "../functions/environment.ts";
import { type Grantable, grantNeeds } from "../functions/grants.ts";
import { createServiceFunction } from "../functions/service-function.ts";
import { createWakeupQueue } from "../functions/wakeup-queue.ts";

/** A session with thousands of runs takes minutes; the next message continues what is left. */
const TIMEOUT_SECONDS = 300;
const BATCH_SIZE = 5;
const MAX_CONCURRENCY = 4;

/** Wake-up messages for sessions that are being removed. */
export const createRemovalQueue = (scope: Construct): Queue =>
  createWakeupQueue(scope, "RemovalQueue", {
    timeoutSeconds: TIMEOUT_SECONDS,
    truth: "the tombstone in the table",
  });

/** The function that removes runs, events and files of deleted sessions. */
export function createSessionRemover(
  scope: Construct,
  config: AppConfig,
  values: ServiceValues,
  resources: Grantable,
): IFunction {
  const remover = createServiceFunction(scope, "SessionRemover", config, {
    bundle: "session-remover",
    description: "Removes what belongs to removed sessions",
    timeoutSeconds: TIMEOUT_SECONDS,
    memoryMb: 512,
    environment: environmentFor(sessionRemoverEnv, { ...values, POWERTOOLS_SERVICE_NAME: "session-remover" }),
  });
  consume(remover, resources.removalQueue, {
    batchSize: BATCH_SIZE,
    maxConcurrency: MAX_CONCURRENCY,
  });
  grantNeeds(remover, "session-remover", resources);
  return remover;
}

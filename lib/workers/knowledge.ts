import { type IFunction, RecursiveLoop } from "aws-cdk-lib/aws-lambda";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { knowledgeWorkerEnv } from "../../shared/settings/environments.ts";
import type { AppConfig } from "../config/config.ts";
import type { ServiceValues } from "../config/service-values.ts";
import { consume } from "../functions/consume.ts";
import { environmentFor } from "../functions/environment.ts";
import { type Grantable, grantNeeds } from "../functions/grants.ts";
import { createServiceFunction } from "../functions/service-function.ts";
import { createWakeupQueue } from "../functions/wakeup-queue.ts";

/** A document of 50 MB takes minutes with an embedder that accepts one text at a time; a longer one takes several workers. */
const TIMEOUT_SECONDS = 900;
/** A document that is no text is read as a whole, and its reader needs several times as much. */
const MEMORY_MB = 2048;
const MAX_CONCURRENCY = 8;

/** Wake-up messages for contents with pending work. */
export const createKnowledgeQueue = (scope: Construct): Queue =>
  createWakeupQueue(scope, "KnowledgeQueue", {
    timeoutSeconds: TIMEOUT_SECONDS,
    retentionHours: 12,
    truth: "the record of the content",
  });

/** The function that reads, cuts and embeds contents, and removes chunks that searches no longer show. */
export function createKnowledgeWorker(
  scope: Construct,
  config: AppConfig,
  values: ServiceValues,
  resources: Grantable,
): IFunction {
  const worker = createServiceFunction(scope, "KnowledgeWorker", config, {
    bundle: "knowledge-worker",
    description: "Processes the contents of knowledge bases",
    timeoutSeconds: TIMEOUT_SECONDS,
    memoryMb: MEMORY_MB,
    // A folder polls its files by messages to its own queue, which Lambda would detect as a loop.
    recursiveLoop: RecursiveLoop.ALLOW,
    environment: environmentFor(knowledgeWorkerEnv, {
      ...values,
      POWERTOOLS_SERVICE_NAME: "knowledge-worker",
    }),
  });
  consume(worker, resources.knowledgeQueue, {
    // Each holds a whole document in memory.
    batchSize: 1,
    maxConcurrency: MAX_CONCURRENCY,
  });
  grantNeeds(worker, "knowledge-worker", resources);
  return worker;
}

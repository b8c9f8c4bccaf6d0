import { Duration } from "aws-cdk-lib";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import { SqsEventSource } from "aws-cdk-lib/aws-lambda-event-sources";
import { Queue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { knowledgeWorkerEnv } from "../shared/runtime/function-env.ts";
import { acknowledge } from "./acknowledge.ts";
import type { AppConfig } from "./config.ts";
import { environmentFor } from "./environment.ts";
import { type Grantable, grantNeeds } from "./grants.ts";
import { createServiceFunction } from "./service-function.ts";
import type { ServiceValues } from "./service-values.ts";

/** A document of 50 MB with an embedder that takes one text at a time takes minutes. */
const TIMEOUT_SECONDS = 900;
/** A document is read as a whole, and its reader needs several times as much. */
const MEMORY_MB = 2048;
const MAX_CONCURRENCY = 8;

/** Contents that something is owed to. */
export function createKnowledgeQueue(scope: Construct): Queue {
  const queue = new Queue(scope, "KnowledgeQueue", {
    enforceSSL: true,
    retentionPeriod: Duration.hours(12),
    // Six times the function's timeout is what Lambda asks for.
    visibilityTimeout: Duration.seconds(6 * TIMEOUT_SECONDS),
  });
  acknowledge(queue, {
    "AwsSolutions-SQS3": "What is lost here is sent again by the sweeper, from the record of the content.",
  });
  return queue;
}

/** Reads, cuts and embeds contents, and removes what nobody finds any more. */
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
    environment: environmentFor(knowledgeWorkerEnv, {
      ...values,
      POWERTOOLS_SERVICE_NAME: "knowledge-worker",
    }),
  });
  worker.addEventSource(
    new SqsEventSource(resources.knowledgeQueue, {
      // Each holds a whole document in memory.
      batchSize: 1,
      maxConcurrency: MAX_CONCURRENCY,
      reportBatchItemFailures: true,
    }),
  );
  grantNeeds(worker, "knowledge-worker", resources);
  return worker;
}

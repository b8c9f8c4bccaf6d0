import { Duration } from "aws-cdk-lib";
import { SqsEventSource } from "aws-cdk-lib/aws-lambda-event-sources";
import { Queue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { sessionRemoverEnv } from "../shared/runtime/function-env.ts";
import { acknowledge } from "./acknowledge.ts";
import type { AppConfig } from "./config.ts";
import { environmentFor } from "./environment.ts";
import { type Grantable, grantNeeds } from "./grants.ts";
import { createServiceFunction } from "./service-function.ts";
import type { ServiceValues } from "./service-values.ts";

/** A session with thousands of runs takes minutes; what is left goes on with the next message. */
const TIMEOUT_SECONDS = 300;
const BATCH_SIZE = 5;
const MAX_CONCURRENCY = 4;

/** Sessions that are being removed. */
export function createRemovalQueue(scope: Construct): Queue {
  const queue = new Queue(scope, "RemovalQueue", {
    enforceSSL: true,
    retentionPeriod: Duration.hours(1),
    // Six times the function's timeout is what Lambda asks for.
    visibilityTimeout: Duration.seconds(6 * TIMEOUT_SECONDS),
  });
  acknowledge(queue, {
    "AwsSolutions-SQS3": "What is lost here is sent again by the sweeper, from the tombstone in the table.",
  });
  return queue;
}

/** Removes runs, events and files of sessions that nobody finds any more. */
export function createSessionRemover(
  scope: Construct,
  config: AppConfig,
  values: ServiceValues,
  resources: Grantable,
): void {
  const remover = createServiceFunction(scope, "SessionRemover", config, {
    bundle: "session-remover",
    description: "Removes what belongs to removed sessions",
    timeoutSeconds: TIMEOUT_SECONDS,
    memoryMb: 512,
    environment: environmentFor(sessionRemoverEnv, { ...values, POWERTOOLS_SERVICE_NAME: "session-remover" }),
  });
  remover.addEventSource(
    new SqsEventSource(resources.removalQueue, {
      batchSize: BATCH_SIZE,
      maxConcurrency: MAX_CONCURRENCY,
      reportBatchItemFailures: true,
    }),
  );
  grantNeeds(remover, "session-remover", resources);
}

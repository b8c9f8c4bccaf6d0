import { Duration, Stack } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { type IFunction, type Function as LambdaFunction, RecursiveLoop } from "aws-cdk-lib/aws-lambda";
import { Queue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { deadLetterEnv, sweeperEnv, workerEnv } from "../../shared/settings/environments.ts";
import { acknowledge } from "../config/acknowledge.ts";
import type { AppConfig } from "../config/config.ts";
import type { ServiceValues } from "../config/service-values.ts";
import { consume } from "../functions/consume.ts";
import { environmentFor } from "../functions/environment.ts";
import { type Grantable, grantNeeds } from "../functions/grants.ts";
import { MOST_UNPROVISIONED } from "../functions/poller-limits.ts";
import { createServiceFunction } from "../functions/service-function.ts";
import { createTimer } from "../functions/timer.ts";
import { createLiveWorker, grantVersions } from "./worker-versions.ts";

/** Lambda's limit; a run that takes longer is handed off to the next invocation. */
const WORKER_TIMEOUT_SECONDS = 900;
const DEAD_LETTER_TIMEOUT_SECONDS = 30;
/** Less than the minute between two sweeps, so that they do not overlap. */
const SWEEPER_TIMEOUT_SECONDS = 55;
const MAX_RECEIVE_COUNT = 5;

export type Queues = { readonly runQueue: Queue; readonly deadLetters: Queue };

/**
 * The run queue and its dead-letter queue.
 *
 * A message is only a wake-up, so its visibility timeout may be long: a job whose worker died is queued again by a check
 * of the locks, which comes when its lock is stale. Checks are delayed messages in the dead-letter queue: it is empty
 * but for them, so they never wait behind runs.
 *
 *   message  |-- worker, at most 900 s --|........................| visible again after 5400 s
 *   job      |-- lock, renewed --|x dead |-- lock grace --| the check sends the next message
 */
export function createQueues(scope: Construct): Queues {
  const deadLetters = new Queue(scope, "DeadLetters", {
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
    visibilityTimeout: Duration.seconds(6 * DEAD_LETTER_TIMEOUT_SECONDS),
  });
  const runQueue = new Queue(scope, "RunQueue", {
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
    // AWS recommends six times the worker's timeout.
    visibilityTimeout: Duration.seconds(6 * WORKER_TIMEOUT_SECONDS),
    deadLetterQueue: { queue: deadLetters, maxReceiveCount: MAX_RECEIVE_COUNT },
  });
  return { runQueue, deadLetters };
}

export type QueueFunctions = {
  readonly worker: IFunction;
  readonly sweeper: IFunction;
  readonly deadLetter: IFunction;
};

/** Consumers of the queues: worker and dead-letter function; and the sweeper with its timer. */
export function createQueueFunctions(
  scope: Construct,
  config: AppConfig,
  values: ServiceValues,
  { deadLetters, runQueue }: Queues,
  resources: Grantable,
): QueueFunctions {
  const worker = createWorker(scope, config, values);
  const deadLetter = createServiceFunction(scope, "DeadLetter", config, {
    bundle: "dead-letter",
    description: "Recovers jobs whose worker went silent, fails those whose messages no worker could finish",
    timeoutSeconds: DEAD_LETTER_TIMEOUT_SECONDS,
    memoryMb: 512,
    // A check of the locks sends the next one, which Lambda would detect as a loop.
    recursiveLoop: RecursiveLoop.ALLOW,
    environment: environmentFor(deadLetterEnv, { ...values, POWERTOOLS_SERVICE_NAME: "dead-letter" }),
  });
  const sweeper = createServiceFunction(scope, "Sweeper", config, {
    bundle: "sweeper",
    description: "Recovers jobs whose worker went silent, sends lost messages again",
    timeoutSeconds: SWEEPER_TIMEOUT_SECONDS,
    memoryMb: 512,
    environment: environmentFor(sweeperEnv, {
      ...values,
      WORKER_FUNCTION: worker.functionName,
      POWERTOOLS_SERVICE_NAME: "sweeper",
    }),
  });
  const maxConcurrency = config.worker_concurrency;
  consume(createLiveWorker(scope, config, worker), runQueue, {
    batchSize: config.worker_batch_size,
    maxConcurrency,
    pollers: config.queuePollers,
  });
  consume(deadLetter, deadLetters, {
    batchSize: 10,
    maxConcurrency: Math.min(maxConcurrency, MOST_UNPROVISIONED),
  });
  createTimer(scope, "Sweep", sweeper, "1 minute");
  grantNeeds(worker, "worker", resources);
  grantNeeds(sweeper, "sweeper", resources);
  grantVersions(scope, worker, sweeper);
  grantAuditExport(sweeper, config);
  grantNeeds(deadLetter, "dead-letter", resources);
  return { worker, sweeper, deadLetter };
}

/** It may write the objects of the audit to the bucket that is named, and read none. */
function grantAuditExport(sweeper: IFunction, { auditExportBucket: bucket }: AppConfig): void {
  if (bucket === undefined) return;
  const arn = `arn:${Stack.of(sweeper).partition}:s3:::${bucket}/audit/*`;
  sweeper.addToRolePolicy(new PolicyStatement({ actions: ["s3:PutObject"], resources: [arn] }));
  const finding = `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:s3:::${bucket}/audit/*]`;
  if (sweeper.role)
    acknowledge(sweeper.role, { [finding]: "Objects are named by the seals that they copy." });
}

/** It sends messages to its own queue (retries, continued runs) and invokes its own versions, which Lambda would detect as a loop. */
const createWorker = (scope: Construct, config: AppConfig, values: ServiceValues): LambdaFunction =>
  createServiceFunction(scope, "Worker", config, {
    bundle: "worker",
    description: "Executes queued runs",
    timeoutSeconds: WORKER_TIMEOUT_SECONDS,
    // Several concurrent runs, which mostly wait for their models.
    memoryMb: 1024,
    recursiveLoop: RecursiveLoop.ALLOW,
    environment: environmentFor(workerEnv, { ...values, POWERTOOLS_SERVICE_NAME: "worker" }),
  });

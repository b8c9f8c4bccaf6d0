import { Duration, Stack } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { type IFunction, RecursiveLoop } from "aws-cdk-lib/aws-lambda";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { deliveryWorkerEnv } from "../../shared/settings/environments.ts";
import { acknowledge } from "../config/acknowledge.ts";
import { type AppConfig, publishesEvents } from "../config/config.ts";
import type { ServiceValues } from "../config/service-values.ts";
import { consume } from "../functions/consume.ts";
import { environmentFor } from "../functions/environment.ts";
import { type Grantable, grantNeeds } from "../functions/grants.ts";
import { createServiceFunction } from "../functions/service-function.ts";
import { createWakeupQueue } from "../functions/wakeup-queue.ts";

/** A message takes ten seconds at most, and a run has few. */
const TIMEOUT = Duration.seconds(60);
/** Much more than the messages that one slow host may hold up (`shared/stores/outbox/target-slots.ts`). */
const MAX_CONCURRENCY = 20;

/** Wake-up messages for events and deliveries. */
export const createDeliveryQueue = (scope: Construct): Queue =>
  createWakeupQueue(scope, "DeliveryQueue", {
    timeoutSeconds: TIMEOUT.toSeconds(),
    truth: "the outbox in the table",
  });

/** What it may do at the services that receive events: at one bus, and for the tasks of the state machines that are named. */
function grantDelivery(worker: IFunction, { eventBus, taskTokens }: AppConfig): void {
  const { partition, region, account } = Stack.of(worker);
  if (eventBus !== undefined) {
    const bus = `arn:${partition}:events:${region}:${account}:event-bus/${eventBus}`;
    worker.addToRolePolicy(new PolicyStatement({ actions: ["events:PutEvents"], resources: [bus] }));
  }
  if (taskTokens.length === 0) return;
  const machines = `arn:${partition}:states:${region}:${account}:stateMachine:`;
  worker.addToRolePolicy(
    new PolicyStatement({
      actions: ["states:SendTaskSuccess", "states:SendTaskFailure"],
      resources: taskTokens.map((name) => `${machines}${name}`),
    }),
  );
  const finding =
    "AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:stateMachine:*]";
  if (worker.role && taskTokens.includes("*"))
    acknowledge(worker.role, { [finding]: "The operator lets runs end tasks of every state machine." });
}

/** The function that sends messages to receivers. */
export function createDeliveryWorker(
  scope: Construct,
  config: AppConfig,
  values: ServiceValues,
  resources: Grantable,
): IFunction {
  const worker = createServiceFunction(scope, "DeliveryWorker", config, {
    bundle: "delivery-worker",
    description: "Delivers events to callbacks, webhook endpoints, the event bus and waiting tasks",
    timeoutSeconds: TIMEOUT.toSeconds(),
    memoryMb: 512,
    // It sends what is due later to its own queue, which Lambda would detect as a loop.
    recursiveLoop: RecursiveLoop.ALLOW,
    environment: environmentFor(deliveryWorkerEnv, { ...values, POWERTOOLS_SERVICE_NAME: "delivery-worker" }),
  });
  consume(worker, resources.deliveryQueue, {
    // A batch ends with its slowest message: one slow receiver would hold up others.
    batchSize: 1,
    maxConcurrency: MAX_CONCURRENCY,
    enabled: publishesEvents(config),
  });
  grantNeeds(worker, "delivery-worker", resources);
  grantDelivery(worker, config);
  return worker;
}

import * as v from "valibot";
import { StartupError } from "../startup-error.ts";
import { type FunctionModel, functionNamed } from "./functions.ts";
import type { Resource } from "./stack.ts";

export type QueueModel = {
  readonly name: string;
  readonly arn: string;
  /** In the format of SQS: every value is a string. */
  readonly attributes: Readonly<Record<string, string>>;
};

export type EventSourceModel = {
  readonly queueName: string;
  readonly function: FunctionModel;
  readonly batchSize: number;
  readonly windowMs: number;
  readonly reportsFailures: boolean;
  readonly maximumConcurrency: number;
  /** Whether its pollers are there from the start. */
  readonly isProvisioned: boolean;
};

const attributeNames = [
  "DelaySeconds",
  "MaximumMessageSize",
  "MessageRetentionPeriod",
  "ReceiveMessageWaitTimeSeconds",
  "RedrivePolicy",
  "VisibilityTimeout",
  "FifoQueue",
  "ContentBasedDeduplication",
];

/** Every queue of the template. */
export function queueModels(resources: readonly Resource[]): QueueModel[] {
  return resources
    .filter(({ type }) => type === "AWS::SQS::Queue")
    .map(({ name, arn, properties }) => ({
      name,
      arn,
      attributes: Object.fromEntries(
        attributeNames.flatMap((attribute) => {
          const value = properties[attribute];
          if (value === undefined) return [];
          return [[attribute, typeof value === "object" ? JSON.stringify(value) : String(value)]];
        }),
      ),
    }));
}

const EventSourceMapping = v.object({
  EventSourceArn: v.string(),
  FunctionName: v.string(),
  BatchSize: v.optional(v.number(), 10),
  MaximumBatchingWindowInSeconds: v.optional(v.number(), 0),
  FunctionResponseTypes: v.optional(v.array(v.string()), []),
  ProvisionedPollerConfig: v.optional(v.object({ MaximumPollers: v.optional(v.number(), 200) })),
  ScalingConfig: v.optional(v.object({ MaximumConcurrency: v.optional(v.number()) }), {}),
});

/** Every mapping from a queue to a function. */
export function eventSourceModels(
  resources: readonly Resource[],
  functions: readonly FunctionModel[],
): EventSourceModel[] {
  const queues = new Map(queueModels(resources).map((queue) => [queue.arn, queue]));
  return resources
    .filter(({ type }) => type === "AWS::Lambda::EventSourceMapping")
    .map(({ id, properties }) => {
      const mapping = v.parse(EventSourceMapping, properties);
      const queue = queues.get(mapping.EventSourceArn);
      if (!queue)
        throw new StartupError(
          `The event source ${id} reads from something that is not a queue of the template.`,
        );
      return {
        queueName: queue.name,
        function: functionNamed(functions, mapping.FunctionName),
        batchSize: mapping.BatchSize,
        windowMs: mapping.MaximumBatchingWindowInSeconds * 1000,
        reportsFailures: mapping.FunctionResponseTypes.includes("ReportBatchItemFailures"),
        maximumConcurrency: maximumConcurrency(mapping),
        isProvisioned: mapping.ProvisionedPollerConfig !== undefined,
      };
    });
}

/** Each provisioned poller has ten invocations under way. @source Lambda guide, provisioned mode of SQS event sources */
function maximumConcurrency({
  ScalingConfig,
  ProvisionedPollerConfig,
}: v.InferOutput<typeof EventSourceMapping>): number {
  if (ProvisionedPollerConfig !== undefined) return 10 * ProvisionedPollerConfig.MaximumPollers;
  return ScalingConfig.MaximumConcurrency ?? Number.POSITIVE_INFINITY;
}

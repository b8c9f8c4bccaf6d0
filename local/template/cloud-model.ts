import type { BucketCors } from "../s3/bucket-cors.ts";
import { bucketCors, bucketNames, vectorBucketNames } from "./buckets.ts";
import { type EdgeModel, edgeModel } from "./edge.ts";
import { type FunctionModel, functionModels } from "./functions.ts";
import { type EventSourceModel, eventSourceModels, type QueueModel, queueModels } from "./queues.ts";
import { resolveStacks } from "./resolve.ts";
import { type SchedulerModel, schedulerModel } from "./scheduler.ts";
import { type ScheduleModel, scheduleModels } from "./schedules.ts";
import { type SecretModel, secretModels } from "./secrets.ts";
import type { Stack } from "./stack.ts";
import { type TableModel, tableModels } from "./tables.ts";

/** The parts of the templates that run locally. */
export type CloudModel = {
  readonly functions: readonly FunctionModel[];
  readonly tables: readonly TableModel[];
  readonly buckets: readonly string[];
  readonly bucketCors: BucketCors;
  readonly vectorBuckets: readonly string[];
  readonly queues: readonly QueueModel[];
  readonly eventSources: readonly EventSourceModel[];
  readonly schedules: readonly ScheduleModel[];
  readonly scheduler: SchedulerModel;
  readonly edge: EdgeModel;
  readonly secrets: readonly SecretModel[];
};

/** Reads the stacks' templates. `awsAddress` is the address of the local AWS endpoint. */
export function cloudModel(stacks: readonly Stack[], awsAddress: string): CloudModel {
  const resources = resolveStacks(stacks, awsAddress);
  const functions = functionModels(resources);
  return {
    functions,
    tables: tableModels(resources),
    buckets: bucketNames(resources),
    bucketCors: bucketCors(resources),
    vectorBuckets: vectorBucketNames(resources),
    queues: queueModels(resources),
    eventSources: eventSourceModels(resources, functions),
    schedules: scheduleModels(resources, functions),
    scheduler: schedulerModel(resources),
    edge: edgeModel(resources, functions),
    secrets: secretModels(resources),
  };
}

import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { SqsEventSource } from "aws-cdk-lib/aws-lambda-event-sources";
import type { IQueue } from "aws-cdk-lib/aws-sqs";

/**
 * Feeds a queue's messages to a function, which tells which of a batch it could not work off.
 *
 * The brake is the source's maximum concurrency, never reserved concurrency: a throttled function would let
 * messages that nobody looked at run into the dead-letter queue.
 */
export function consume(
  fn: LambdaFunction,
  queue: IQueue,
  { batchSize, maxConcurrency }: { readonly batchSize: number; readonly maxConcurrency: number },
): void {
  fn.addEventSource(new SqsEventSource(queue, { batchSize, maxConcurrency, reportBatchItemFailures: true }));
}

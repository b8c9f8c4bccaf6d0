import type { IFunction } from "aws-cdk-lib/aws-lambda";
import { SqsEventSource } from "aws-cdk-lib/aws-lambda-event-sources";
import type { IQueue } from "aws-cdk-lib/aws-sqs";

type Consumption = {
  readonly batchSize: number;
  readonly maxConcurrency: number;
  /** Whether the queue is polled, which costs $0.26 a month; true when absent. */
  readonly enabled?: boolean;
};

/**
 * Makes a function the consumer of a queue; it reports the messages of a batch that it could not process.
 *
 * The event source's maximum concurrency limits it, never reserved concurrency: SQS would count throttled invocations as
 * receives, and move messages to the dead-letter queue that were never processed.
 */
export function consume(
  fn: Pick<IFunction, "addEventSource">,
  queue: IQueue,
  { batchSize, maxConcurrency, enabled = true }: Consumption,
): void {
  fn.addEventSource(
    new SqsEventSource(queue, {
      batchSize,
      maxConcurrency,
      reportBatchItemFailures: true,
      ...(!enabled && { enabled }),
    }),
  );
}

import { Duration } from "aws-cdk-lib";
import { Queue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { acknowledge } from "../config/acknowledge.ts";

/**
 * A queue of wake-up messages. If one is lost, the sweeper sends it again from a record, so there is no dead-letter queue.
 *
 * @param timeoutSeconds  of the function that consumes it
 * @param truth           the record from which the sweeper sends lost messages
 * @param retentionHours  longer than a message stays invisible while it is processed
 */
export function createWakeupQueue(
  scope: Construct,
  id: string,
  {
    timeoutSeconds,
    truth,
    retentionHours = 1,
  }: { readonly timeoutSeconds: number; readonly truth: string; readonly retentionHours?: number },
): Queue {
  const queue = new Queue(scope, id, {
    enforceSSL: true,
    retentionPeriod: Duration.hours(retentionHours),
    // AWS recommends six times the function's timeout.
    visibilityTimeout: Duration.seconds(6 * timeoutSeconds),
  });
  acknowledge(queue, {
    "AwsSolutions-SQS3": `What is lost here is sent again by the sweeper, from ${truth}.`,
  });
  return queue;
}

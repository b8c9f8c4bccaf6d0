import { Duration } from "aws-cdk-lib";
import { Queue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { acknowledge } from "../config/acknowledge.ts";

/**
 * A queue of messages that the sweeper sends again from a record when they are lost. So it needs no dead letters.
 *
 * @param timeoutSeconds  of the function that it feeds
 * @param truth           where the sweeper finds what is lost here
 * @param retentionHours  longer than a message stays hidden while it is worked on
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
    // Six times the function's timeout is what Lambda asks for.
    visibilityTimeout: Duration.seconds(6 * timeoutSeconds),
  });
  acknowledge(queue, {
    "AwsSolutions-SQS3": `What is lost here is sent again by the sweeper, from ${truth}.`,
  });
  return queue;
}

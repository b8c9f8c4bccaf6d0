import { isAllowed, type Statement } from "../iam/policy.ts";
import type { Sqs } from "../sqs/sqs.ts";
import { accountId } from "../template/names.ts";
import type { Delivery } from "./scheduler.ts";

/**
 * Sends the message of a slot to its queue with the entry's role. If the role may not send there or the queue does not
 * exist, the message goes to the dead-letter queue.
 */
export async function deliverToQueue(
  sqs: Sqs,
  roleOf: (roleArn: string) => readonly Statement[] | undefined,
  { entry, input }: Delivery,
): Promise<void> {
  const { Arn, RoleArn, DeadLetterConfig } = entry.Target;
  const statements = roleOf(RoleArn) ?? [];
  for (const arn of [Arn, DeadLetterConfig?.Arn]) {
    if (arn === undefined || !sqs.queueByArn(arn)) continue;
    if (!isAllowed(statements, { action: "sqs:SendMessage", resource: arn })) continue;
    const QueueUrl = `http://localhost/${accountId}/${arn.split(":").at(-1)}`;
    await sqs.answer("AmazonSQS.SendMessage", JSON.stringify({ QueueUrl, MessageBody: input }));
    return;
  }
}

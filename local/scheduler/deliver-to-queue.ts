import { isAllowed, type Statement } from "../iam/policy.ts";
import type { Sqs } from "../sqs/sqs.ts";
import { accountId } from "../template/names.ts";
import type { Delivery } from "./scheduler.ts";

/**
 * Puts a slot into its queue, as the entry's role: into the dead-letter queue where it may not, or there is no such
 * queue.
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

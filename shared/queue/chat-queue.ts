import { createHash } from "node:crypto";
import * as v from "valibot";
import { connectSqs } from "./connect-sqs.ts";

/** The key of a message that a worker has to process; its record is the truth. */
export const ChatQueueMessage = v.object({ key: v.string() });
export type ChatQueueMessage = v.InferOutput<typeof ChatQueueMessage>;

export type ChatWakeup = {
  readonly key: string;
  /** What is processed in order: a conversation. */
  readonly group: string;
  /** Deduplication id: what is sent only once within five minutes. */
  readonly once: string;
};

export type ChatQueue = {
  readonly send: (wakeup: ChatWakeup) => Promise<void>;
  /** Sets when a message is delivered again, in place of its visibility timeout. @param seconds from 0 */
  readonly setRedelivery: (receiptHandle: string, seconds: number) => Promise<void>;
};

/** The queue of messages of chat platforms: in order within a conversation, in parallel otherwise. */
export function connectChatQueue(queueUrl: string): ChatQueue {
  const sqs = connectSqs();
  return {
    async send({ key, group, once }) {
      const { sdk, client } = await sqs();
      await client.send(
        new sdk.SendMessageCommand({
          QueueUrl: queueUrl,
          MessageBody: JSON.stringify({ key } satisfies ChatQueueMessage),
          MessageGroupId: digestOf(group),
          MessageDeduplicationId: digestOf(once),
        }),
      );
    },
    async setRedelivery(receiptHandle, seconds) {
      const { sdk, client } = await sqs();
      const request = { QueueUrl: queueUrl, ReceiptHandle: receiptHandle, VisibilityTimeout: seconds };
      await client.send(new sdk.ChangeMessageVisibilityCommand(request));
    },
  };
}

/** Ids may have 128 characters, and must not show a telephone number. */
const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex");

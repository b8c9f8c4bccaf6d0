import { createHash } from "node:crypto";
import * as v from "valibot";
import { connectSqs } from "./connect-sqs.ts";

/** The key of a message that somebody has to look after; its record is the truth. */
export const ChatQueueMessage = v.object({ key: v.string() });
export type ChatQueueMessage = v.InferOutput<typeof ChatQueueMessage>;

export type ChatWakeup = {
  readonly key: string;
  /** What is worked one after the other: a conversation. */
  readonly group: string;
  /** What is sent once within five minutes, however often it is asked for. */
  readonly once: string;
};

export type ChatQueue = {
  readonly send: (wakeup: ChatWakeup) => Promise<void>;
  /** Has a message come back after so long, instead of when its visibility ends. @param seconds from 0 */
  readonly comeBack: (receiptHandle: string, seconds: number) => Promise<void>;
};

/** The queue of messages of chat platforms: in order within a conversation, side by side otherwise. */
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
    async comeBack(receiptHandle, seconds) {
      const { sdk, client } = await sqs();
      const request = { QueueUrl: queueUrl, ReceiptHandle: receiptHandle, VisibilityTimeout: seconds };
      await client.send(new sdk.ChangeMessageVisibilityCommand(request));
    },
  };
}

/** Ids may have 128 characters, and a telephone number has no place in them. */
const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex");

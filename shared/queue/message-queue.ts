import { connectSqs } from "./connect-sqs.ts";

/** A queue of wake-ups: what a message names has a record, which is the truth. */
export type MessageQueue<Message> = {
  /** @param delaySeconds  at most 900 */
  readonly send: (message: Message, delaySeconds?: number) => Promise<void>;
};

export function connectMessageQueue<Message>(queueUrl: string): MessageQueue<Message> {
  const sqs = connectSqs();
  return {
    async send(message, delaySeconds = 0) {
      const { sdk, client } = await sqs();
      await client.send(
        new sdk.SendMessageCommand({
          QueueUrl: queueUrl,
          MessageBody: JSON.stringify(message),
          ...(delaySeconds > 0 && { DelaySeconds: delaySeconds }),
        }),
      );
    },
  };
}

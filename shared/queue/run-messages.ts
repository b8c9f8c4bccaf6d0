import { connectSqs } from "./connect-sqs.ts";

/** A message that a worker received itself; the event source knows nothing of it. */
export type ReceivedMessage = { readonly body: string; readonly receipt: string };

export type RunMessages = {
  /** Receives up to so many messages that wait, ten at most. Does not wait when there are none. */
  readonly receive: (atMost: number) => Promise<readonly ReceivedMessage[]>;
  /** Deletes a received message, so that it does not come again. */
  readonly remove: (receipt: string) => Promise<void>;
};

/** Most messages that SQS gives at a time. */
const MAX_RECEIVED = 10;

/** The receiving side of the run queue, for workers with free slots. */
export function connectRunMessages(queueUrl: string): RunMessages {
  const sqs = connectSqs();
  return {
    async receive(atMost) {
      const { sdk, client } = await sqs();
      const { Messages = [] } = await client.send(
        new sdk.ReceiveMessageCommand({
          QueueUrl: queueUrl,
          MaxNumberOfMessages: Math.min(atMost, MAX_RECEIVED),
          WaitTimeSeconds: 0,
        }),
      );
      return Messages.map(({ Body = "", ReceiptHandle = "" }) => ({ body: Body, receipt: ReceiptHandle }));
    },
    async remove(receipt) {
      const { sdk, client } = await sqs();
      await client.send(new sdk.DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle: receipt }));
    },
  };
}

import { connectSqs } from "./connect-sqs.ts";
import type { RemovalMessage } from "./removal-message.ts";

export type RemovalQueue = {
  /** @param delaySeconds  at most 900 */
  readonly send: (message: RemovalMessage, delaySeconds?: number) => Promise<void>;
};

/** The queue of sessions that are being removed. A lost or doubled message does no harm: the tombstone is the truth. */
export function connectRemovalQueue(queueUrl: string): RemovalQueue {
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

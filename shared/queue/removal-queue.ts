import { SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import type { RemovalMessage } from "./removal-message.ts";

export type RemovalQueue = {
  /** @param delaySeconds  at most 900 */
  readonly send: (message: RemovalMessage, delaySeconds?: number) => Promise<void>;
};

/** The queue of sessions that are being removed. A lost or doubled message does no harm: the tombstone is the truth. */
export function connectRemovalQueue(queueUrl: string): RemovalQueue {
  // Without this the SDK sends to the host inside the URL, whatever endpoint is configured.
  const client = new SQSClient({ useQueueUrlAsEndpoint: false, maxAttempts: 3 });
  return {
    async send(message, delaySeconds = 0) {
      await client.send(
        new SendMessageCommand({
          QueueUrl: queueUrl,
          MessageBody: JSON.stringify(message),
          ...(delaySeconds > 0 && { DelaySeconds: delaySeconds }),
        }),
      );
    },
  };
}

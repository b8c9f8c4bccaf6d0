import * as v from "valibot";
import { connectSqs } from "./connect-sqs.ts";

/** Names a content that has work to do. Carries ids only: the content's record is the truth. */
export const KnowledgeMessage = v.object({ knowledge_id: v.string(), id: v.string() });
export type KnowledgeMessage = v.InferOutput<typeof KnowledgeMessage>;

export type KnowledgeQueue = {
  /** @param delaySeconds  at most 900 */
  readonly send: (message: KnowledgeMessage, delaySeconds?: number) => Promise<void>;
};

/** The queue of contents to process. A lost or duplicate message does no harm: the record is the truth. */
export function connectKnowledgeQueue(queueUrl: string): KnowledgeQueue {
  const sqs = connectSqs();
  return {
    async send({ knowledge_id, id }, delaySeconds = 0) {
      const { sdk, client } = await sqs();
      await client.send(
        new sdk.SendMessageCommand({
          QueueUrl: queueUrl,
          MessageBody: JSON.stringify({ knowledge_id, id }),
          ...(delaySeconds > 0 && { DelaySeconds: delaySeconds }),
        }),
      );
    },
  };
}

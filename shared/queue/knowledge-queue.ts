import * as v from "valibot";
import { connectMessageQueue, type MessageQueue } from "./message-queue.ts";

/** Names a content that has work to do. Carries ids only: the content's record is the truth. */
export const KnowledgeMessage = v.object({ knowledge_id: v.string(), id: v.string() });
export type KnowledgeMessage = v.InferOutput<typeof KnowledgeMessage>;

export type KnowledgeQueue = MessageQueue<KnowledgeMessage>;

/** The queue of contents to process. A lost or duplicate message does no harm: the record is the truth. */
export const connectKnowledgeQueue = (queueUrl: string): KnowledgeQueue => connectMessageQueue(queueUrl);

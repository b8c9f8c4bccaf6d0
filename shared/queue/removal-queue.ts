import { connectMessageQueue, type MessageQueue } from "./message-queue.ts";
import type { RemovalMessage } from "./removal-message.ts";

export type RemovalQueue = MessageQueue<RemovalMessage>;

/** The queue of sessions that are being removed. A lost or duplicate message is harmless: the tombstone is the truth. */
export const connectRemovalQueue = (queueUrl: string): RemovalQueue => connectMessageQueue(queueUrl);

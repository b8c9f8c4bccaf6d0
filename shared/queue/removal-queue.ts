import * as v from "valibot";
import { connectMessageQueue, type MessageQueue } from "./message-queue.ts";

/** Names a session whose runs are to be removed. Carries ids only: the tombstone is the truth. */
export const RemovalMessage = v.object({
  session_id: v.string(),
  /** How often the removal has waited for runs that were still executing. */
  round: v.number(),
});
export type RemovalMessage = v.InferOutput<typeof RemovalMessage>;

export type RemovalQueue = MessageQueue<RemovalMessage>;

/** The queue of sessions that are being removed. A lost or duplicate message is harmless: the tombstone is the truth. */
export const connectRemovalQueue = (queueUrl: string): RemovalQueue => connectMessageQueue(queueUrl);

/** Names a user of whom everything is to be removed. Its record is the truth. */
export const UserRemovalMessage = v.object({ removed_user_id: v.string() });
export type UserRemovalMessage = v.InferOutput<typeof UserRemovalMessage>;

export type UserRemovalQueue = MessageQueue<UserRemovalMessage>;

/** The queue of users whose data is being removed. A lost or duplicate message is harmless. */
export const connectUserRemovalQueue = (queueUrl: string): UserRemovalQueue => connectMessageQueue(queueUrl);

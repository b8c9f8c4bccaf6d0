import type { Db } from "../db.ts";
import { chatWork } from "./chat-work.ts";

/** A queue message counts as lost after this long. Others of the conversation may be before it. */
const LOST_AFTER_SECONDS = 900;

/** Records that a message is in the queue, unless a worker has leased it already. @param now epoch seconds */
export async function recordEnqueued(db: Db, key: string, now: number): Promise<void> {
  const change = { set: { status: "enqueued" }, due: now + LOST_AFTER_SECONDS } as const;
  await chatWork.change(db, key, change, { status: "received" });
}

import type { ChatQueue } from "../../shared/queue/chat-queue.ts";
import { listDueMessages } from "../../shared/stores/chats/list-due-messages.ts";
import type { Db } from "../../shared/stores/db.ts";

/** Messages of one round and one shard at most; the next round continues. */
const WOKEN_PER_SHARD = 250;

/**
 * Wakes chat messages that are due: their wake-up was lost, their worker went silent, or their run may have ended
 * without a wake-up. Each gets a message group of its own: the message of a dead worker may still block the
 * conversation's.
 *
 * @param now  epoch seconds
 * @returns    how many were woken
 */
export async function wakeChats(
  { db, chats }: { readonly db: Db; readonly chats: Pick<ChatQueue, "send"> },
  now: number,
): Promise<number> {
  const due = await listDueMessages(db, now, WOKEN_PER_SHARD);
  for (const key of due) await chats.send({ key, group: key, once: `${key}#${now}` });
  return due.length;
}

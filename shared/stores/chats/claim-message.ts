import { isNew } from "../../data/guard.ts";
import { write } from "../../data/write.ts";
import { putItem } from "../../data/writes.ts";
import type { ChatInbound } from "../../schemas/runs/chat-message.ts";
import type { Db } from "../db.ts";
import { MESSAGE_LIFE_SECONDS, messageFrom, messageItem, type StoredChatMessage } from "./message-item.ts";

/** The wake-up of a claimed message is sent again after this long, unless it was recorded as enqueued. */
const LOST_AFTER_SECONDS = 120;

/** `new`: it was not claimed before. `unsent`: it was claimed, but not recorded as enqueued. */
export type Claim = "new" | "unsent" | "duplicate";

/**
 * Claims a message: of many deliveries only one gets `new`.
 *
 * @param now  epoch seconds
 */
export async function claimMessage(db: Db, inbound: ChatInbound, now: number): Promise<Claim> {
  const message: StoredChatMessage = {
    ...inbound,
    status: "received",
    faults: 0,
    due_at: now + LOST_AFTER_SECONDS,
    created_at: now,
    expires_at: now + MESSAGE_LIFE_SECONDS,
  };
  const claimed = await write(db, putItem("chats", messageItem(message), isNew));
  if (claimed.written) return "new";
  return claimed.seen && messageFrom(claimed.seen).status === "received" ? "unsent" : "duplicate";
}

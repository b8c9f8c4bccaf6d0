import { exists, type Guard } from "../../data/guard.ts";
import { writeAndRead } from "../../data/write.ts";
import { type Changes, updateItem } from "../../data/writes.ts";
import type { Db } from "../db.ts";
import { dueKeys, messageFrom, messageKey, type StoredChatMessage } from "./message-item.ts";

/** What a write changes; `undefined` removes a field. */
export type MessageChange = {
  readonly [K in
    | "status"
    | "run"
    | "faults"
    | "sending"
    | "live_id"
    | "postponed"
    | "asking"
    | "lease_by"
    | "lease_until"
    | "due_at"
    | "work"]?: StoredChatMessage[K] | undefined;
};

/** One conditional write. @returns the message after it; undefined if the guard does not hold */
export async function changeMessage(
  db: Db,
  key: string,
  change: MessageChange,
  guard: Guard,
  add: Changes["add"] = {},
): Promise<StoredChatMessage | undefined> {
  const set = { ...change, ...dueOf(key, change) };
  const result = await writeAndRead(
    db,
    updateItem("chats", messageKey(key), { set, add, guard: [exists, guard] }),
  );
  return result.written ? messageFrom(result.item) : undefined;
}

function dueOf(key: string, change: MessageChange) {
  if (!("due_at" in change)) return {};
  return change.due_at === undefined ? { due_shard: undefined, due: undefined } : dueKeys(key, change.due_at);
}

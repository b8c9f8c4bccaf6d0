import type { Db } from "../db.ts";
import { changeMessage } from "./change-message.ts";

/** A message of the queue that was lost is missed after so long. Others of the conversation may be before it. */
const MISSED_AFTER_SECONDS = 900;

/** Notes that a message is in the queue, unless a worker has it already. @param now epoch seconds */
export async function recordEnqueued(db: Db, key: string, now: number): Promise<void> {
  const change = { status: "enqueued", due_at: now + MISSED_AFTER_SECONDS } as const;
  await changeMessage(db, key, change, {
    condition: "#status = :received",
    values: { ":received": "received" },
  });
}

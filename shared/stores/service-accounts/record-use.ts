import { absentOr, atMost, exists } from "../../data/guard.ts";
import { write } from "../../data/write.ts";
import { updateItem } from "../../data/writes.ts";
import type { Db } from "../db.ts";
import { accountKey } from "./account-item.ts";

const RECORDED_EVERY_SECONDS = 60;

/**
 * Sets `last_used_at`, unless any process has done so within the last minute.
 *
 * @param now  epoch seconds
 */
export async function recordUse(db: Db, accountId: string, now: number): Promise<void> {
  const before = now - RECORDED_EVERY_SECONDS;
  await write(
    db,
    updateItem("service_accounts", accountKey(accountId), {
      set: { last_used_at: now },
      guard: [exists, { last_used_at: absentOr(atMost(before)) }],
    }),
  );
}

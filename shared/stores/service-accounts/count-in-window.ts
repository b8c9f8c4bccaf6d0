import { above } from "../../data/guard.ts";
import { write, writeAndRead } from "../../data/write.ts";
import { updateItem } from "../../data/writes.ts";
import type { Db } from "../db.ts";

const WINDOW_SECONDS = 60;

type Counted = { readonly count: number; readonly ends_at: number };

/**
 * Counts further events of a kind in the minute that began with the first. When two processes start a minute
 * concurrently, the events of one are not counted; a limit tolerates that.
 *
 * @param kind   such as `failures#203.0.113.7`
 * @param now    epoch seconds
 * @param count  how many
 */
export async function countInWindow(db: Db, kind: string, now: number, count = 1): Promise<Counted> {
  const key = { pk: kind, sk: "window" };
  const counted = await writeAndRead(
    db,
    updateItem("service_accounts", key, { add: { count }, guard: { expires_at: above(now) } }),
  );
  if (counted.written) return { count: Number(counted.item.count), ends_at: Number(counted.item.expires_at) };
  const ends_at = now + WINDOW_SECONDS;
  await write(db, updateItem("service_accounts", key, { set: { count, expires_at: ends_at } }));
  return { count, ends_at };
}

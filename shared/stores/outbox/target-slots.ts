import { anyOf, below, deleteItem, isNew, putItem, write } from "../../data/index.ts";
import type { Db } from "../db.ts";

/** Messages that are on the way to one host at a time: a slow receiver takes no more of the workers than these. */
export const SLOTS_OF_HOST = 4;
/** Longer than a message takes; then a slot of a dead process is free again. */
const SLOT_SECONDS = 20;
const KEPT_SECONDS = 3_600;

/** A place among the messages that are on the way to a host. */
export type TargetSlot = { readonly host: string; readonly number: number; readonly holder: string };

const slotKey = (host: string, number: number) => ({ pk: `host#${host}`, sk: `slot#${number}` });

/**
 * Takes one of a host's slots.
 *
 * @param now    epoch seconds
 * @param first  which is tried first, from 0; the others follow
 * @returns      undefined where all are taken
 */
export async function takeTargetSlot(
  db: Db,
  host: string,
  holder: string,
  now: number,
  first: number,
): Promise<TargetSlot | undefined> {
  for (let tried = 0; tried < SLOTS_OF_HOST; tried += 1) {
    const number = (first + tried) % SLOTS_OF_HOST;
    const item = {
      ...slotKey(host, number),
      holder,
      until: now + SLOT_SECONDS,
      expires_at: now + KEPT_SECONDS,
    };
    const taken = await write(db, putItem("outbox", item, anyOf(isNew, { until: below(now) })));
    if (taken.written) return { host, number, holder };
  }
  return undefined;
}

/** Frees a slot, if it was not taken by another process in the meantime. */
export async function freeTargetSlot(db: Db, { host, number, holder }: TargetSlot): Promise<void> {
  await write(db, deleteItem("outbox", slotKey(host, number), { holder }));
}

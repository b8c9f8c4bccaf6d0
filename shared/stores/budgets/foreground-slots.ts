import * as v from "valibot";
import { anyOf, atMost, isNew, type Put, putItem, updateItem, write } from "../../data/index.ts";
import { type Db, queryPages } from "../db.ts";

/** One of the places that foreground runs take; there are as many as may go on at once. */
export type ForegroundSlot = {
  /** Whose places they are; null for those of all callers together. */
  readonly user_id: string | null;
  /** From 0; below the limit. */
  readonly number: number;
  readonly run_id: string;
  /** Epoch seconds at which the slot is free again, even if its process died. */
  readonly expires_at: number;
};

/** Version of the stored shape of a slot; raised with every change of it. */
export const FOREGROUND_SLOT_SHAPE = 1;

export const StoredSlot = v.object({ run_id: v.string(), expires_at: v.number() });

/** Digits of a slot's number, so that numbers sort. */
const DIGITS = 6;
const PREFIX = "foreground#";

const partitionOf = (userId: string | null) =>
  userId === null ? "deployment" : `user#${encodeURIComponent(userId)}`;
const slotKey = ({ user_id, number }: Pick<ForegroundSlot, "user_id" | "number">) => ({
  pk: partitionOf(user_id),
  sk: `${PREFIX}${String(number).padStart(DIGITS, "0")}`,
});

/** The write that takes a slot, in the transaction that starts the run; refused while another run has the slot. */
export const takeSlot = (slot: ForegroundSlot, now: number): Put => {
  const { run_id, expires_at } = slot;
  const item = { ...slotKey(slot), run_id, expires_at, shape: FOREGROUND_SLOT_SHAPE };
  // A run that is started again takes its own slot.
  return putItem("budgets", item, anyOf(isNew, { expires_at: atMost(now) }, { run_id }));
};

/** So far in the past that the slot is free for processes whose clocks are behind, too. */
const FREED_BEFORE_SECONDS = 60;

/**
 * Frees a slot by having it expire: who executes runs may delete nothing. One that has expired and was taken by another
 * run stays with that run.
 */
export async function freeSlot(db: Db, slot: ForegroundSlot, now: number): Promise<void> {
  const { run_id } = slot;
  const set = { expires_at: now - FREED_BEFORE_SECONDS };
  await write(db, updateItem("budgets", slotKey(slot), { set, guard: { run_id } }));
}

/** Numbers of the slots that runs have. @param userId as in a slot @param now epoch seconds */
export async function listTakenSlots(db: Db, userId: string | null, now: number): Promise<number[]> {
  const pages = queryPages(db, {
    TableName: db.tables.budgets,
    KeyConditionExpression: "pk = :pk AND begins_with(sk, :prefix)",
    ExpressionAttributeValues: { ":pk": partitionOf(userId), ":prefix": PREFIX },
    ProjectionExpression: "sk, run_id, expires_at",
    ConsistentRead: true,
  });
  const taken: number[] = [];
  for await (const { Items = [] } of pages) {
    const held = Items.filter((item) => v.parse(StoredSlot, item).expires_at > now);
    taken.push(...held.map(({ sk }) => Number(String(sk).slice(PREFIX.length))));
  }
  return taken;
}

import * as v from "valibot";
import { anyOf, below, deleteItem, exists, isNew, putItem, write } from "../../data/index.ts";
import { type Db, queryPages } from "../db.ts";
import { type ContentAddress, contentWork } from "./content-item.ts";

/** Contents of one user that are processed at a time: half of the workers, so that one user's files leave room for others'. */
export const CONTENTS_OF_OWNER = 4;
/** Version of the stored shapes of slots and of those who wait for one; raised with every change of them. */
export const SHARE_SHAPE = 1;
/** Records of before have no version; they are read alike. */
export const StoredShareSlot = v.object({ holder: v.string(), until: v.number(), expires_at: v.number() });
export const StoredShareWaiter = v.object({
  knowledge_id: v.string(),
  id: v.string(),
  expires_at: v.number(),
});

/** No worker lives longer; then the slot of a dead one is free again. */
const SLOT_SECONDS = 960;
/** When a content that waits is looked at again, if no other one's end has led to it. */
const WAIT_SECONDS = 600;
const KEPT_SECONDS = 86_400;
const WAITER = "waiter#";
/** Workers that end at the same time take different ones of these. */
const READ_TOGETHER = 8;

/** A place among the contents of a user that are processed. */
export type ShareSlot = { readonly owner: string; readonly number: number; readonly holder: string };

const partitionOf = (owner: string): string => `share#${encodeURIComponent(owner)}`;
const slotKey = ({ owner, number }: Pick<ShareSlot, "owner" | "number">) => ({
  pk: partitionOf(owner),
  sk: `slot#${number}`,
});

type Waiting = ContentAddress & { readonly created_at: number };
/** The oldest come first. */
const waiterKey = (owner: string, { knowledge_id, id, created_at }: Waiting) => ({
  pk: partitionOf(owner),
  sk: `${WAITER}${String(Math.floor(created_at)).padStart(12, "0")}#${knowledge_id}#${id}`,
});

/** Takes one of a user's slots; undefined where all are taken. @param now epoch seconds */
export async function takeShareSlot(
  db: Db,
  owner: string,
  holder: string,
  now: number,
): Promise<ShareSlot | undefined> {
  for (let number = 0; number < CONTENTS_OF_OWNER; number += 1) {
    const slot = { owner, number, holder };
    const item = {
      ...slotKey(slot),
      ...{ holder, until: now + SLOT_SECONDS },
      ...{ shape: SHARE_SHAPE, expires_at: now + KEPT_SECONDS },
    };
    if ((await write(db, putItem("knowledge", item, anyOf(isNew, { until: below(now) })))).written)
      return slot;
  }
  return undefined;
}

export async function freeShareSlot(db: Db, slot: ShareSlot): Promise<void> {
  await write(db, deleteItem("knowledge", slotKey(slot), { holder: slot.holder }));
}

/** Has a content wait for a slot. It is due later, so that the sweeper does not send for it every minute. @param now epoch seconds */
export async function waitForShare(
  db: Db,
  owner: string,
  content: Waiting & { readonly version: number },
  now: number,
): Promise<void> {
  const { knowledge_id, id, version } = content;
  const expires_at = now + KEPT_SECONDS;
  const item = { ...waiterKey(owner, content), knowledge_id, id, shape: SHARE_SHAPE, expires_at };
  await write(db, putItem("knowledge", item));
  await contentWork.change(db, content, { add: { version: 1 }, due: now + WAIT_SECONDS }, { version });
}

export async function stopWaiting(db: Db, owner: string, content: Waiting): Promise<void> {
  await write(db, deleteItem("knowledge", waiterKey(owner, content)));
}

/** Takes the first of a user's contents that wait, for one worker alone; undefined where none does. */
export async function takeWaiting(db: Db, owner: string): Promise<ContentAddress | undefined> {
  const pages = queryPages(db, {
    TableName: db.tables.knowledge,
    KeyConditionExpression: "pk = :pk AND begins_with(sk, :waiter)",
    ExpressionAttributeValues: { ":pk": partitionOf(owner), ":waiter": WAITER },
    ConsistentRead: true,
    Limit: READ_TOGETHER,
  });
  for await (const { Items = [] } of pages) {
    for (const item of Items) {
      const { knowledge_id, id } = v.parse(StoredShareWaiter, item);
      const key = { pk: String(item.pk), sk: String(item.sk) };
      if ((await write(db, deleteItem("knowledge", key, exists))).written) return { knowledge_id, id };
    }
  }
  return undefined;
}

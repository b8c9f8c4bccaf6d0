import { deleteItem, exists, putItem, write } from "../../data/index.ts";
import { type Db, queryPages } from "../db.ts";
import { idOfDelivery, type StoredDelivery } from "./delivery-item.ts";
import { placeOfDelivery } from "./outbox-keys.ts";

/** Longer than a delivery waits for its next try by itself. */
const KEPT_SECONDS = 120;
const WAITER = "waiter#";
const SECOND_DIGITS = 12;
/** Processes that free slots at the same time take different ones of these. */
const READ_TOGETHER = 8;

type Waiting = Pick<StoredDelivery, "host" | "subject" | "target" | "order" | "created_at" | "tries">;

/** A delivery that found no slot of its host. `tries` is what it had then. */
export type HostWaiter = {
  readonly id: string;
  readonly place: NonNullable<ReturnType<typeof placeOfDelivery>>;
  readonly tries: number;
};

const hostPartition = (host: string): string => `host#${host}`;

/** The oldest deliveries come first, however often they have waited. */
const waiterKey = (delivery: Waiting) => ({
  pk: hostPartition(delivery.host),
  sk: `${WAITER}${String(delivery.created_at).padStart(SECOND_DIGITS, "0")}#${idOfDelivery(delivery)}`,
});

/** Has a delivery wait for a slot of its host. @param now epoch seconds */
export async function putHostWaiter(db: Db, delivery: Waiting, now: number): Promise<void> {
  const { tries } = delivery;
  const item = { ...waiterKey(delivery), id: idOfDelivery(delivery), tries, expires_at: now + KEPT_SECONDS };
  await write(db, putItem("outbox", item));
}

export async function removeHostWaiter(db: Db, delivery: Waiting): Promise<void> {
  await write(db, deleteItem("outbox", waiterKey(delivery)));
}

/** Takes the first of a host's waiters, for one process alone; undefined where nothing waits. */
export async function takeHostWaiter(db: Db, host: string): Promise<HostWaiter | undefined> {
  const waiters = queryPages(db, {
    TableName: db.tables.outbox,
    KeyConditionExpression: "pk = :pk AND begins_with(sk, :waiter)",
    ExpressionAttributeValues: { ":pk": hostPartition(host), ":waiter": WAITER },
    ConsistentRead: true,
    Limit: READ_TOGETHER,
  });
  for await (const { Items = [] } of waiters) {
    for (const { pk, sk, id, tries } of Items) {
      const taken = await write(db, deleteItem("outbox", { pk: String(pk), sk: String(sk) }, exists));
      const place = placeOfDelivery(String(id));
      if (taken.written && place) return { id: String(id), place, tries: Number(tries) };
    }
  }
  return undefined;
}

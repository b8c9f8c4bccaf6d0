import type { Subject } from "../../domain/platform-events.ts";
import { type Db, queryPages } from "../db.ts";
import { deliveryFrom, type StoredDelivery } from "./delivery-item.ts";
import { eventFrom, type StoredEvent } from "./event-item.ts";
import { isDelivery, isEvent, isWatch, subjectPartition } from "./outbox-keys.ts";

/** Everything that the outbox has about a subject, each in its order. */
export type SubjectSeen = {
  readonly events: readonly StoredEvent[];
  readonly deliveries: readonly StoredDelivery[];
  /** Whether it is a foreground run whose process may be lost. */
  readonly isWatched: boolean;
};

/** A consistent read. */
export async function readSubject(db: Db, subject: Subject): Promise<SubjectSeen> {
  const events: StoredEvent[] = [];
  const deliveries: StoredDelivery[] = [];
  let isWatched = false;
  const pages = queryPages(db, {
    TableName: db.tables.outbox,
    KeyConditionExpression: "pk = :pk",
    ExpressionAttributeValues: { ":pk": subjectPartition(subject) },
    ConsistentRead: true,
  });
  for await (const { Items = [] } of pages) {
    for (const item of Items) {
      if (isEvent(item)) events.push(eventFrom(item));
      else if (isDelivery(item)) deliveries.push(deliveryFrom(item));
      else if (isWatch(item)) isWatched = true;
    }
  }
  return { events, deliveries, isWatched };
}

import { GetCommand } from "@aws-sdk/lib-dynamodb";
import type { Db } from "../db.ts";
import { deliveryFrom, type StoredDelivery } from "./delivery-item.ts";
import { deliveryKey, placeOfDelivery } from "./outbox-keys.ts";

/** A consistent read. @returns undefined also for a text that is no id of a delivery */
export async function getDelivery(db: Db, id: string): Promise<StoredDelivery | undefined> {
  const place = placeOfDelivery(id);
  if (!place) return undefined;
  const { Item } = await db.client.send(
    new GetCommand({
      TableName: db.tables.outbox,
      Key: deliveryKey(place.subject, place.target, place.order),
      ConsistentRead: true,
    }),
  );
  return Item && deliveryFrom(Item);
}

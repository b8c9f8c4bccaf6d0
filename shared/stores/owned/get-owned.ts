import { GetCommand } from "@aws-sdk/lib-dynamodb";
import type { Item } from "../../data/index.ts";
import { type Db, queryPages } from "../db.ts";
import { type Owned, type OwnedKind, type OwnedRow, placeKey, RECORD, recordKey } from "./owned.ts";

/** The owner of the record with an id. @returns undefined when there is no such record */
export async function ownerOf<Stored extends Owned, Row extends OwnedRow>(
  db: Db,
  { listing }: OwnedKind<Stored, Row>,
  id: string,
): Promise<{ readonly owner: string | null } | undefined> {
  const Key = placeKey(id);
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables[listing.table], Key, ConsistentRead: true }),
  );
  return Item && { owner: typeof Item.user_id === "string" ? Item.user_id : null };
}

/** @param owner  whose record; undefined for any owner's */
export async function getOwned<Stored extends Owned, Row extends OwnedRow>(
  db: Db,
  kind: OwnedKind<Stored, Row>,
  id: string,
  owner: string | null | undefined,
): Promise<Stored | undefined> {
  const place = owner === undefined ? await ownerOf(db, kind, id) : { owner };
  if (!place) return undefined;
  const Key = recordKey(place.owner, id);
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables[kind.listing.table], Key, ConsistentRead: true }),
  );
  return Item && kind.read(Item);
}

/** All records of one owner, read consistently, in no particular order. */
export async function recordsOf<Stored extends Owned, Row extends OwnedRow>(
  db: Db,
  { listing, read }: OwnedKind<Stored, Row>,
  owner: string | null,
): Promise<Stored[]> {
  const { pk } = recordKey(owner, "");
  const pages = queryPages(db, {
    TableName: db.tables[listing.table],
    KeyConditionExpression: "pk = :pk AND begins_with(sk, :record)",
    ExpressionAttributeValues: { ":pk": pk, ":record": RECORD },
    ConsistentRead: true,
  });
  const items: Item[] = [];
  for await (const page of pages) items.push(...(page.Items ?? []));
  return items.map(read);
}

import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { asSeen, type Item, isNew, type Put, putItem, type Update, updateItem } from "../../data/index.ts";
import { linkTo, type SealLink } from "../../domain/audit/seals.ts";
import { DAY_SECONDS, type UtcDay } from "../../domain/utc-day.ts";
import { AuditSeal } from "../../schemas/audit/audit-record.ts";
import { type Db, queryPages } from "../db.ts";

/** Version of the stored shape; raised with every change of it. */
export const SEAL_SHAPE = 1;

/** Partition of the index `by_due` with the seals that are still to be exported. */
export const UNEXPORTED = "unexported";

export const sealKey = ({ day, number }: Pick<SealLink, "day" | "number">) => ({
  pk: `seals#${day}`,
  sk: `seal#${String(number).padStart(8, "0")}`,
});

/** Where the chain ends. */
const endKey = { pk: "chain", sk: "chain" };

export const putSeal = (seal: AuditSeal, exported: boolean): Put => {
  const key = sealKey(seal);
  const item: Item = {
    ...key,
    ...seal,
    ...(exported && { due: UNEXPORTED, due_at: key.sk }),
    // It is kept as long as any record that it links.
    expires_at: Math.max(...seal.records.map(({ until }) => until)) + DAY_SECONDS,
    shape: SEAL_SHAPE,
  };
  return putItem("audit", item, isNew);
};

/** The write that makes a seal the end of the chain; refused when another one has become that. */
export const moveEnd = (seal: AuditSeal, seen: SealLink | undefined): Update =>
  updateItem("audit", endKey, { set: linkTo(seal), guard: { number: asSeen(seen?.number) } });

const SealLinkItem = v.object({ day: v.string(), number: v.number(), hash: v.string() });

export async function chainEnd(db: Db): Promise<SealLink | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.audit, Key: endKey, ConsistentRead: true }),
  );
  return Item && v.parse(SealLinkItem, Item);
}

export async function getSeal(db: Db, at: Pick<SealLink, "day" | "number">): Promise<AuditSeal | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.audit, Key: sealKey(at), ConsistentRead: true }),
  );
  return Item && sealFrom(Item);
}

/** The seals that were made on a day, in their order. */
export async function sealsOf(db: Db, day: UtcDay): Promise<AuditSeal[]> {
  const pages = queryPages(db, {
    TableName: db.tables.audit,
    KeyConditionExpression: "pk = :pk",
    ExpressionAttributeValues: { ":pk": sealKey({ day, number: 0 }).pk },
    ConsistentRead: true,
  });
  const seals: AuditSeal[] = [];
  for await (const { Items = [] } of pages) seals.push(...Items.map(sealFrom));
  return seals;
}

/** @throws when the item is not a seal of a shape that this code reads */
export const sealFrom = (item: Item): AuditSeal => v.parse(AuditSeal, item);

import { GetCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { heardBy } from "../../domain/platform-events/catalogue.ts";
import { batchGet } from "../batch-get.ts";
import type { Db } from "../db.ts";
import { guardedUpdate } from "../guarded-update.ts";
import { queryPages } from "../query-pages.ts";
import { transact } from "../transact.ts";
import {
  ALL_ENDPOINTS,
  endpointCountKey,
  endpointFrom,
  endpointItem,
  endpointKey,
  heardPartition,
  type StoredEndpoint,
} from "./endpoint-item.ts";
import { presenceKey } from "./outbox.ts";

/** Endpoints of one owner at most: each event of its runs is sent to all of them. */
export const MAX_ENDPOINTS = 50;

/** @returns false where the owner has `MAX_ENDPOINTS` already */
export async function createEndpoint(db: Db, endpoint: StoredEndpoint): Promise<boolean> {
  const counted = { ExpressionAttributeValues: { ":one": 1, ":most": MAX_ENDPOINTS } };
  const result = await transact(db, () => [
    {
      Update: {
        TableName: db.tables.outbox,
        Key: endpointCountKey(endpoint.user_id),
        UpdateExpression: "ADD endpoints :one",
        ConditionExpression: "attribute_not_exists(endpoints) OR endpoints < :most",
        ...counted,
      },
    },
    {
      Put: {
        TableName: db.tables.outbox,
        Item: endpointItem(endpoint),
        ConditionExpression: "attribute_not_exists(pk)",
      },
    },
    count(db, 1, endpoint.events),
  ]);
  return result.written;
}

/** Counts endpoints up or down, and notes which kinds of events besides those of runs they ask for. */
function count(db: Db, by: 1 | 0 | -1, events: StoredEndpoint["events"] = []) {
  const families = new Set(events.map(heardBy).filter((heard) => heard !== "run"));
  const notes = families.size > 0;
  return {
    Update: {
      TableName: db.tables.outbox,
      Key: presenceKey,
      UpdateExpression: `ADD endpoints :by${notes ? ", families :families" : ""}`,
      ExpressionAttributeValues: { ":by": by, ...(notes && { ":families": families }) },
    },
  };
}

/** @returns whether it was there */
export async function removeEndpoint(db: Db, { id, user_id }: StoredEndpoint): Promise<boolean> {
  const { written } = await transact(db, () => [
    {
      Delete: {
        TableName: db.tables.outbox,
        Key: endpointKey(id),
        ConditionExpression: "attribute_exists(pk)",
      },
    },
    {
      Update: {
        TableName: db.tables.outbox,
        Key: endpointCountKey(user_id),
        UpdateExpression: "ADD endpoints :by",
        ExpressionAttributeValues: { ":by": -1 },
      },
    },
    count(db, -1),
  ]);
  return written;
}

/** A consistent read. */
export async function getEndpoint(db: Db, id: string): Promise<StoredEndpoint | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.outbox, Key: endpointKey(id), ConsistentRead: true }),
  );
  return Item && endpointFrom(Item);
}

/** Fields that change; `undefined` removes one. */
export type EndpointChange = {
  readonly [K in
    | "url"
    | "description"
    | "events"
    | "components"
    | "include_content"
    | "enabled"
    | "disabled_reason"
    | "failing_since"
    | "generation"
    | "previous_until"
    | "updated_at"]?: StoredEndpoint[K] | undefined;
};

/** @param seen  fields that must be as they were read, for changes that follow from them */
export async function changeEndpoint(
  db: Db,
  id: string,
  change: EndpointChange,
  seen: Pick<EndpointChange, "generation" | "failing_since" | "enabled"> = {},
): Promise<StoredEndpoint | undefined> {
  // Before it hears of them: what is noted for nothing costs little, what is not noted is not told.
  if (change.events?.some((type) => heardBy(type) !== "run"))
    await db.client.send(new UpdateCommand(count(db, 0, change.events).Update));
  const written = Object.entries(change).filter(([, value]) => value !== undefined);
  const removed = Object.entries(change).filter(([, value]) => value === undefined);
  const conditions = Object.keys(seen).map((name) => ` AND #${name} = :seen_${name}`);
  const result = await guardedUpdate(db, {
    TableName: db.tables.outbox,
    Key: endpointKey(id),
    UpdateExpression: [
      `SET ${written.map(([name]) => `#${name} = :${name}`).join(", ")}`,
      removed.length > 0 ? `REMOVE ${removed.map(([name]) => `#${name}`).join(", ")}` : "",
    ].join(" "),
    ConditionExpression: `attribute_exists(pk)${conditions.join("")}`,
    ExpressionAttributeNames: Object.fromEntries(
      [...Object.keys(change), ...Object.keys(seen)].map((name) => [`#${name}`, name]),
    ),
    ExpressionAttributeValues: {
      ...Object.fromEntries(written.map(([name, value]) => [`:${name}`, value])),
      ...Object.fromEntries(Object.entries(seen).map(([name, value]) => [`:seen_${name}`, value])),
    },
  });
  return result.changed ? endpointFrom(result.item) : undefined;
}

/** Endpoints that may hear the events of a user's runs: the user's own, and those that hear everybody's. */
export async function endpointsThatHear(db: Db, owner: string | null): Promise<StoredEndpoint[]> {
  const [own, everybody] = await Promise.all([
    endpointsIn(db, "by_owner", "owner_key", heardPartition({ owner })),
    endpointsIn(db, "by_owner", "owner_key", heardPartition("everybody")),
  ]);
  return [...own, ...everybody];
}

/** Every endpoint, the newest first. */
export const listEndpoints = (db: Db): Promise<StoredEndpoint[]> =>
  endpointsIn(db, "by_opening", "all_key", ALL_ENDPOINTS);

/** The endpoints of one owner that hear the owner's runs, the newest first. */
export const listEndpointsOf = (db: Db, owner: string): Promise<StoredEndpoint[]> =>
  endpointsIn(db, "by_owner", "owner_key", heardPartition({ owner }));

/** The index may lag behind by a moment; what is read by its rows is consistent. */
async function endpointsIn(
  db: Db,
  index: "by_owner" | "by_opening",
  name: "owner_key" | "all_key",
  partition: string,
): Promise<StoredEndpoint[]> {
  const keys: { readonly pk: unknown; readonly sk: unknown }[] = [];
  const pages = queryPages(db, {
    TableName: db.tables.outbox,
    IndexName: index,
    KeyConditionExpression: "#partition = :partition",
    ExpressionAttributeNames: { "#partition": name },
    ExpressionAttributeValues: { ":partition": partition },
  });
  for await (const { Items = [] } of pages) keys.push(...Items.map(({ pk, sk }) => ({ pk, sk })));
  const items = await batchGet(db, db.tables.outbox, keys);
  return items.map(endpointFrom).sort((a, b) => b.created_at - a.created_at || (a.id < b.id ? 1 : -1));
}

import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { absentOr, asSeen, below, exists, isNew } from "../../data/guard.ts";
import { transact } from "../../data/transact.ts";
import { write, writeAndRead } from "../../data/write.ts";
import { deleteItem, putItem, type Update, updateItem } from "../../data/writes.ts";
import { topicOf } from "../../domain/platform-events/catalogue.ts";
import { batchGet } from "../batch-get.ts";
import type { Db } from "../db.ts";
import { queryPages } from "../query-pages.ts";
import {
  ALL_ENDPOINTS,
  endpointCountKey,
  endpointFrom,
  endpointItem,
  endpointKey,
  type StoredEndpoint,
  subscriberPartition,
} from "./endpoint-item.ts";
import { presenceKey } from "./outbox.ts";

/** Endpoints of one owner at most: each event of its runs is sent to all of them. */
export const MAX_ENDPOINTS = 50;

/** @returns false where the owner has `MAX_ENDPOINTS` already */
export async function createEndpoint(db: Db, endpoint: StoredEndpoint): Promise<boolean> {
  const result = await transact(db, {
    count: updateItem("outbox", endpointCountKey(endpoint.user_id), {
      add: { endpoints: 1 },
      guard: { endpoints: absentOr(below(MAX_ENDPOINTS)) },
    }),
    endpoint: putItem("outbox", endpointItem(endpoint), isNew),
    presence: count(1, endpoint.events),
  });
  return result.written;
}

/** Counts endpoints up or down, and notes which kinds of events besides those of runs they ask for. */
function count(by: 1 | 0 | -1, events: StoredEndpoint["events"] = []): Update {
  const families = new Set<string>(events.map(topicOf).filter((topic) => topic !== "run"));
  return updateItem("outbox", presenceKey, {
    add: { endpoints: by, ...(families.size > 0 && { families }) },
  });
}

/** @returns whether it was there */
export async function removeEndpoint(db: Db, { id, user_id }: StoredEndpoint): Promise<boolean> {
  const { written } = await transact(db, {
    endpoint: deleteItem("outbox", endpointKey(id), exists),
    count: updateItem("outbox", endpointCountKey(user_id), { add: { endpoints: -1 } }),
    presence: count(-1),
  });
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
  if (change.events?.some((type) => topicOf(type) !== "run")) await write(db, count(0, change.events));
  const asRead = Object.entries(seen).map(([name, value]) => ({ [name]: asSeen(value) }));
  const result = await writeAndRead(
    db,
    updateItem("outbox", endpointKey(id), { set: change, guard: [exists, ...asRead] }),
  );
  return result.written ? endpointFrom(result.item) : undefined;
}

/** Endpoints that may hear the events of a user's runs: the user's own, and those that hear everybody's. */
export async function subscribedEndpoints(db: Db, owner: string | null): Promise<StoredEndpoint[]> {
  const [own, everybody] = await Promise.all([
    endpointsIn(db, "by_owner", "owner_key", subscriberPartition({ owner })),
    endpointsIn(db, "by_owner", "owner_key", subscriberPartition("everybody")),
  ]);
  return [...own, ...everybody];
}

/** Every endpoint, the newest first. */
export const listEndpoints = (db: Db): Promise<StoredEndpoint[]> =>
  endpointsIn(db, "by_opening", "all_key", ALL_ENDPOINTS);

/** The endpoints of one owner that hear the owner's runs, the newest first. */
export const listEndpointsOf = (db: Db, owner: string): Promise<StoredEndpoint[]> =>
  endpointsIn(db, "by_owner", "owner_key", subscriberPartition({ owner }));

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

import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import {
  absentOr,
  asSeen,
  below,
  deleteItem,
  exists,
  type Item,
  isNew,
  putItem,
  transact,
  type Update,
  updateItem,
  type Write,
  write,
  writeAndRead,
} from "../../data/index.ts";
import { differingFacts } from "../../domain/audit/recorded-facts.ts";
import { topicOf } from "../../domain/platform-events.ts";
import { ServiceError } from "../../errors.ts";
import { WebhookEndpoint } from "../../schemas/deliveries/webhook-endpoint.ts";
import { auditedChange } from "../audit/audit-item.ts";
import { batchGet } from "../batch-get.ts";
import { type Db, queryPages } from "../db.ts";
import { openedKey } from "../index-keys.ts";
import { retryUntilWritten } from "../retry-until-written.ts";
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
    audit: auditedEndpoint(db, undefined, endpoint),
  });
  return result.written;
}

/** Counts endpoints up or down, and notes which kinds of events in addition to those of runs they ask for. */
function count(by: 1 | 0 | -1, events: StoredEndpoint["events"] = []): Update {
  const families = new Set<string>(events.map(topicOf).filter((topic) => topic !== "run"));
  return updateItem("outbox", presenceKey, {
    add: { endpoints: by, ...(families.size > 0 && { families }) },
  });
}

/** @returns whether it was there */
export async function removeEndpoint(db: Db, endpoint: StoredEndpoint): Promise<boolean> {
  const { id, user_id } = endpoint;
  const { written } = await transact(db, {
    endpoint: deleteItem("outbox", endpointKey(id), exists),
    count: updateItem("outbox", endpointCountKey(user_id), { add: { endpoints: -1 } }),
    presence: count(-1),
    audit: auditedEndpoint(db, endpoint, undefined),
  });
  return written;
}

/** The audit record of a change of an endpoint; one of the two states is missing where it is created or removed. */
function auditedEndpoint(
  db: Db,
  before: StoredEndpoint | undefined,
  after: StoredEndpoint | undefined,
): Write {
  const endpoint = after ?? before;
  return auditedChange(db, {
    operation: "changeWebhookEndpoint",
    on_behalf_of: endpoint?.user_id ?? null,
    target: { endpoint_id: endpoint?.id ?? "" },
    ...(before && after ? differingFacts(before, after) : { before, after }),
  });
}

/** A consistent read. */
export async function getEndpoint(db: Db, id: string): Promise<StoredEndpoint | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.outbox, Key: endpointKey(id), ConsistentRead: true }),
  );
  return Item && endpointFrom(Item);
}

/**
 * Changes an endpoint as a request asks for it, with an audit record.
 *
 * @param generation  given where the change follows from it
 * @returns           undefined when there is none, or none of that generation
 */
export function changeEndpointOnRequest(
  db: Db,
  id: string,
  change: EndpointChange,
  generation?: number,
): Promise<StoredEndpoint | undefined> {
  const tryOnce = async () => {
    const seen = await getEndpoint(db, id);
    if (!seen || (generation !== undefined && seen.generation !== generation)) return { endpoint: undefined };
    await subscribe(db, change);
    const after = endpointFrom({ ...seen, ...change });
    const unchanged = { updated_at: asSeen(seen.updated_at), generation: asSeen(seen.generation) };
    const { written } = await transact(db, {
      endpoint: updateItem("outbox", endpointKey(id), { set: change, guard: [exists, unchanged] }),
      audit: auditedEndpoint(db, seen, after),
    });
    return written ? { endpoint: after } : undefined;
  };
  const others = `webhook endpoint ${id} is being changed by others again and again; try once more`;
  return retryUntilWritten(tryOnce, () => new ServiceError("CONFLICT", others)).then(
    ({ endpoint }) => endpoint,
  );
}

/** Counts families of events before an endpoint asks for them: one that is not counted is not published. */
async function subscribe(db: Db, { events }: EndpointChange): Promise<void> {
  if (events?.some((type) => topicOf(type) !== "run")) await write(db, count(0, events));
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

/**
 * Changes what deliveries find out about an endpoint.
 *
 * @param seen  fields that must be as they were read, for changes that follow from them
 */
export async function changeEndpoint(
  db: Db,
  id: string,
  change: EndpointChange,
  seen: Pick<EndpointChange, "generation" | "failing_since" | "enabled"> = {},
): Promise<StoredEndpoint | undefined> {
  await subscribe(db, change);
  const asRead = Object.entries(seen).map(([name, value]) => ({ [name]: asSeen(value) }));
  const result = await writeAndRead(
    db,
    updateItem("outbox", endpointKey(id), { set: change, guard: [exists, ...asRead] }),
  );
  return result.written ? endpointFrom(result.item) : undefined;
}

/** Endpoints that may subscribe to the events of a user's runs: the user's own, and those for all users. */
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

/** The endpoints of one owner for the owner's runs, the newest first. */
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

/** Version of the stored shape; raised with every change of it. */
export const ENDPOINT_SHAPE = 3;

/** A standing receiver. Its secret is derived, so none is stored. */
export const StoredEndpoint = v.object({
  ...v.omit(WebhookEndpoint, ["previous_secret_until"]).entries,
  /** Which of its keys is the newest; each rotation counts one up. */
  generation: v.number(),
  /** Epoch seconds; until then the key before is valid too. */
  previous_until: v.optional(v.number()),
});
export type StoredEndpoint = v.InferOutput<typeof StoredEndpoint>;

const endpointKey = (id: string) => ({
  pk: `endpoint#${encodeURIComponent(id)}`,
  sk: "endpoint",
});

/** How many endpoints an owner has. */
const endpointCountKey = (owner: string | null) => ({
  pk: `endpoints-of#${encodeURIComponent(owner ?? "")}`,
  sk: "endpoints",
});

/** Partition of the index over everybody's records that has all endpoints. They are few. */
const ALL_ENDPOINTS = "endpoints";

/** Partition of the index by owner with the endpoints for the events of one user, or those of all users. */
const subscriberPartition = (of: "everybody" | { readonly owner: string | null }): string =>
  of === "everybody" ? "endpoints-everybody" : `endpoints-own#${encodeURIComponent(of.owner ?? "")}`;

const endpointItem = (endpoint: StoredEndpoint): Item => ({
  ...endpointKey(endpoint.id),
  ...endpoint,
  owner_key: subscriberPartition(
    endpoint.audience === "everybody" ? "everybody" : { owner: endpoint.user_id },
  ),
  all_key: ALL_ENDPOINTS,
  opened: openedKey(endpoint.created_at, endpoint.id),
  shape: ENDPOINT_SHAPE,
});

/** @throws when the item is not an endpoint of a shape that this code reads */
const endpointFrom = (item: Item): StoredEndpoint => v.parse(StoredEndpoint, item);

/** The endpoint as the wire shows it. */
export const wireEndpoint = ({ previous_until, ...endpoint }: StoredEndpoint): WebhookEndpoint =>
  v.parse(WebhookEndpoint, { ...endpoint, previous_secret_until: previous_until ?? null });

import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { type Item, present } from "../../data/index.ts";
import { isCounted, MAX_ATTEMPTS, pendingTaskOf } from "../../domain/knowledge/content-plans.ts";
import { type Content, StoredContent } from "../../schemas/knowledge/knowledge-content.ts";
import { defineWork, doubling, dueIndex, dueShardOf, dueShards } from "../../work/index.ts";
import { batchGet } from "../batch-get.ts";
import type { Db } from "../db.ts";
import { openedKey, purgePartition } from "../index-keys.ts";

/** Version of the stored shape; raised with every change of it. */
export const CONTENT_SHAPE = 3;

/** Identifies a content. */
export type ContentAddress = Pick<StoredContent, "knowledge_id" | "id">;

export const contentKey = ({ knowledge_id, id }: ContentAddress) => ({
  pk: `content#${knowledge_id}#${id}`,
  sk: "content",
});

/** Partitions of a base's contents and of its counters, so that uploads have no hot key. */
const SHARDS = 4;
const shardOf = (id: string): number => (Number.parseInt(id.slice(-4), 16) || 0) % SHARDS;
const everyShard = (prefix: string): string[] =>
  Array.from({ length: SHARDS }, (_, shard) => `${prefix}#${shard}`);

/** Partition of one user's contents, or of the shared ones. */
export const ownerKey = (knowledgeId: string, owner: string | null): string =>
  owner === null ? `${knowledgeId}#shared` : `${knowledgeId}#user#${owner}`;
export const baseKeys = (knowledgeId: string): string[] => everyShard(knowledgeId);

/** Counters of one owner's contents in one base, in several items so that concurrent uploads do not conflict. */
export const tallyKey = (owner: string, id: string) => ({ pk: `tally#${owner}#${shardOf(id)}`, sk: "tally" });
export const tallyKeys = (owner: string) => everyShard(`tally#${owner}`).map((pk) => ({ pk, sk: "tally" }));

/** Contents with pending work. */
const contentDue = dueIndex<Pick<ContentAddress, "id">>({
  table: "knowledge",
  partition: "due_key",
  partitions: dueShards,
  keyOf: ({ id }) => ({ partition: dueShardOf(id), sort: id }),
  storesTime: true,
  perRound: 125,
});

/** Attributes that only the indexes need; absent if the content is in none. */
function indexAttributes({ knowledge_id, owner, id, created_at, removed, due_at }: StoredContent): Item {
  return {
    owner_key: removed ? purgePartition(owner) : ownerKey(knowledge_id, owner),
    opened: openedKey(created_at, id),
    ...(!removed && { base_key: `${knowledge_id}#${shardOf(id)}` }),
    ...(due_at !== undefined && contentDue.attributes({ id }, due_at)),
  };
}

/** All attributes of a content but its key. */
export const contentAttributes = (content: StoredContent): Item => ({
  ...content,
  ...indexAttributes(content),
  shape: CONTENT_SHAPE,
});

/** @throws when the item is not a content of a shape that this code reads */
export const contentFrom = (item: Item): StoredContent => v.parse(StoredContent, item);

const isoTime = (seconds: number): string => new Date(seconds * 1000).toISOString().replace(".000Z", "Z");

/** The content as the wire shows it. */
export const wireContent = (content: StoredContent): Content => ({
  id: content.id,
  name: content.name,
  description: content.description,
  type: content.type,
  size: String(content.size),
  linked_to: null,
  metadata: content.metadata,
  access_count: null,
  status: content.status,
  status_message: content.status_message,
  created_at: isoTime(content.created_at),
  updated_at: isoTime(content.updated_at),
});

/** Also returns a content that is being removed: callers that show it must check. */
export async function getContent(db: Db, address: ContentAddress): Promise<StoredContent | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.knowledge, Key: contentKey(address), ConsistentRead: true }),
  );
  return Item && contentFrom(Item);
}

/** The contents that exist, by their ids. */
export async function getContents(
  db: Db,
  knowledgeId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredContent>> {
  const keys = [...new Set(ids)].map((id) => contentKey({ knowledge_id: knowledgeId, id }));
  const items = await batchGet(db, db.tables.knowledge, keys);
  return new Map(items.map(contentFrom).map((content) => [content.id, content]));
}

/**
 * A content with something to do: what, follows from the record. So claims and steps have the version that was read as a
 * condition too, and a step writes what it changes in the whole content, with the counters (`content-lease.ts`).
 */
export const contentWork = defineWork({
  kind: "content",
  table: "knowledge",
  keyOf: (address: ContentAddress) => contentKey(address),
  read: contentFrom,
  open: { version: present },
  lease: { holder: "lease_token", time: "lease_until", seconds: 120, renewals: 3, settlingSeconds: 1 },
  retry: {
    stalls: "attempt",
    stallsOf: (content) => (isCounted(pendingTaskOf(content)) ? content.attempt : 0),
    most: MAX_ATTEMPTS,
    delaySeconds: doubling({ base: 1, most: 300 }),
  },
  due: contentDue,
  message: ({ knowledge_id, id }) => ({ knowledge_id: String(knowledge_id), id: String(id) }),
});

/** The contents that a user sees: all of a base, or their own and the shared ones. */
export type Visibility = { readonly knowledge_id: string; readonly owner: string | null | undefined };

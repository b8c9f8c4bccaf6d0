import * as v from "valibot";
import type { Item } from "../../data/item.ts";
import { type Content, StoredContent } from "../../schemas/knowledge/knowledge-content.ts";
import { dueIndex, dueShardOf, dueShards } from "../../work/due.ts";
import { openedKey } from "../listing/index-keys.ts";

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
export const contentDue = dueIndex<Pick<ContentAddress, "id">>({
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
    ...(!removed && {
      owner_key: ownerKey(knowledge_id, owner),
      base_key: `${knowledge_id}#${shardOf(id)}`,
      opened: openedKey(created_at, id),
    }),
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

import { createHash } from "node:crypto";
import * as v from "valibot";
import {
  BATCH_WRITES,
  type Delete,
  deleteItem,
  type Item,
  type Put,
  putItem,
  writeBatch,
} from "../../data/index.ts";
import { matchesFilter } from "../../domain/knowledge/matches-filter.ts";
import { batchGet } from "../batch-get.ts";
import { type Db, queryPages } from "../db.ts";
import { inBatches } from "../in-batches.ts";
import type { Chunk, Hit, Tags, VectorQuery, VectorStore } from "./vector-store.ts";

/** Partitions of an index, read in parallel. */
const SHARDS = 4;

const Tag = v.union([v.string(), v.number(), v.boolean()]);
const StoredTags = v.record(v.string(), v.union([Tag, v.array(Tag)]));
const VectorRow = v.object({ key: v.string(), vector: v.instance(Uint8Array), tags: StoredTags });
const TextRow = v.object({ key: v.string(), text: v.string(), about: v.record(v.string(), v.unknown()) });

/**
 * Chunks in a table, searched exactly: every vector of an index is read and compared. Good for up to a few thousand
 * chunks: a vector of 256 numbers is 1 KB, and a page of a query 1 MB. Texts are items of their own, read only for the
 * chunks that are found.
 */
export function dynamoVectors(db: Db): VectorStore {
  return {
    put: (index, chunks) =>
      writeAll(
        db,
        chunks.flatMap((chunk) => putsOf(index, chunk)),
      ),
    remove: (index, keys) =>
      writeAll(
        db,
        keys.flatMap((key) => deletesOf(index, key)),
      ),
    get: async (index, keys) => {
      const items = await batchGet(
        db,
        db.tables.chunks,
        keys.flatMap((key) => [vectorKey(index, key), textKey(index, key)]),
      );
      const bodies = new Map(items.filter(isText).map((item) => [String(item.key), v.parse(TextRow, item)]));
      return items
        .filter((item) => !isText(item))
        .flatMap((item) => joined(v.parse(VectorRow, item), bodies));
    },
    texts: async (index, keys) => {
      const items = await batchGet(
        db,
        db.tables.chunks,
        keys.map((key) => textKey(index, key)),
      );
      return items.map((item) => v.parse(TextRow, item));
    },
    query: (index, query) => search(db, index, query),
  };
}

const shardOf = (key: string): number => (createHash("sha256").update(key).digest()[0] ?? 0) % SHARDS;
const partitionOf = (index: string, key: string): string => `${index}#${shardOf(key)}`;
const vectorKey = (index: string, key: string) => ({ pk: partitionOf(index, key), sk: `vector#${key}` });
const textKey = (index: string, key: string) => ({ pk: partitionOf(index, key), sk: `text#${key}` });
const isText = ({ sk }: Item): boolean => String(sk).startsWith("text#");

function putsOf(index: string, { key, vector, tags, text, about }: Chunk): Put[] {
  const bytes = new Uint8Array(Float32Array.from(vector).buffer);
  return [
    putItem("chunks", { ...textKey(index, key), key, text, about }),
    // The vector last: a chunk that is found has its text.
    putItem("chunks", { ...vectorKey(index, key), key, vector: bytes, tags }),
  ];
}

const deletesOf = (index: string, key: string): Delete[] => [
  deleteItem("chunks", vectorKey(index, key)),
  deleteItem("chunks", textKey(index, key)),
];

async function writeAll(db: Db, writes: readonly (Put | Delete)[]): Promise<void> {
  await inBatches(writes, BATCH_WRITES, (batch) => writeBatch(db, batch));
}

function joined(
  row: v.InferOutput<typeof VectorRow>,
  bodies: ReadonlyMap<string, v.InferOutput<typeof TextRow>>,
): Chunk[] {
  const body = bodies.get(row.key);
  const { key, vector, tags } = row;
  return body ? [{ key, vector: [...floatsOf(vector)], tags, text: body.text, about: body.about }] : [];
}

/** A copy, because floats must be aligned and the received bytes may not be. */
const floatsOf = (bytes: Uint8Array): Float32Array => new Float32Array(new Uint8Array(bytes).buffer);

type Scored = { readonly key: string; readonly score: number };

async function search(db: Db, index: string, { vector, top, filter }: VectorQuery): Promise<Hit[]> {
  const wanted = Float32Array.from(vector);
  const scoresOf = async (shard: number): Promise<Scored[]> => {
    const scored: Scored[] = [];
    const pages = queryPages(db, {
      TableName: db.tables.chunks,
      KeyConditionExpression: "pk = :pk AND begins_with(sk, :vector)",
      ExpressionAttributeValues: { ":pk": `${index}#${shard}`, ":vector": "vector#" },
    });
    for await (const { Items = [] } of pages) {
      for (const item of Items) {
        const { key, vector: bytes, tags } = item as { key: string; vector: Uint8Array; tags: Tags }; // as put
        if (matchesFilter(tags, filter)) scored.push({ key, score: product(wanted, floatsOf(bytes)) });
      }
    }
    return scored;
  };
  const scored = (await Promise.all(Array.from({ length: SHARDS }, (_, shard) => scoresOf(shard)))).flat();
  scored.sort((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1));
  return readTexts(db, index, scored.slice(0, top));
}

async function readTexts(db: Db, index: string, found: readonly Scored[]): Promise<Hit[]> {
  const items = await batchGet(
    db,
    db.tables.chunks,
    found.map(({ key }) => textKey(index, key)),
  );
  const bodies = new Map(items.map((item) => [String(item.key), v.parse(TextRow, item)]));
  return found.flatMap(({ key }) => bodies.get(key) ?? []);
}

/** Cosine of two vectors of length 1. Vectors of another dimension are of another embedder, and match nothing. */
function product(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) return -1;
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}

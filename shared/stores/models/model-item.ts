import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { asSeen, type Item, updateItem, write } from "../../data/index.ts";
import type { Allowance } from "../../domain/models/allowance.ts";
import type { Breaker } from "../../domain/models/breaker.ts";
import type { Block } from "../../domain/models/rate-limit.ts";
import type { Db } from "../db.ts";

/** Versions of the stored shapes; raised with every change of them. */
export const MODEL_SHAPE = 1;
export const MODEL_KEY_SHAPE = 1;

/** What all workers know of a model; instants are epoch milliseconds. */
export const StoredModel = v.object({
  breaker: v.optional(
    v.object({
      failures: v.pipe(v.array(v.number()), v.readonly()),
      open_until: v.optional(v.number()),
      open_seconds: v.optional(v.number()),
      probe_until: v.optional(v.number()),
    }),
  ),
  /** Counts the writes of the breaker, each of which is made on what its writer has seen. */
  breaker_revision: v.optional(v.number()),
  /** Until when its service is not asked to cache prompts, because it has refused that. */
  marks_refused_until: v.optional(v.number()),
  /** How many tokens its service has turned out to take, and until when that counts. */
  window: v.optional(v.object({ tokens: v.number(), until: v.number() })),
});
export type StoredModel = v.InferOutput<typeof StoredModel>;

/** What all workers know of what a service lets one key ask of a model. */
export const StoredModelKey = v.object({
  revision: v.optional(v.number()),
  block: v.optional(v.object({ from: v.number(), until: v.number(), doublings: v.number() })),
  allowance: v.optional(
    v.object({
      requests: v.number(),
      tokens: v.number(),
      at: v.number(),
      cut_at: v.optional(v.number()),
      cut_to: v.optional(v.number()),
      holders: v.record(v.string(), v.object({ calls: v.number(), until: v.number() })),
      turn: v.object({ from: v.number(), given: v.record(v.string(), v.number()) }),
      waiting: v.record(v.string(), v.number()),
    }),
  ),
});
export type StoredModelKey = v.InferOutput<typeof StoredModelKey>;

/** A model and one key, as they were read together. */
export type SeenModel = { readonly model: StoredModel; readonly key: StoredModelKey };

/** What has not been written for so long is forgotten. */
const KEPT_SECONDS = 7 * 86_400;

const partitionOf = (spec: string) => `model#${spec}`;
const MODEL = "model";
const keyName = (digest: string) => `key#${digest}`;

/** Reads a model and a key of its service in one consistent read. */
export async function readModel(db: Db, spec: string, digest: string): Promise<SeenModel> {
  const { Items = [] } = await db.client.send(
    new QueryCommand({
      TableName: db.tables.budgets,
      KeyConditionExpression: "pk = :pk",
      ExpressionAttributeValues: { ":pk": partitionOf(spec) },
      ConsistentRead: true,
    }),
  );
  const named = (name: string): Item => Items.find(({ sk }) => sk === name) ?? {};
  return {
    model: v.parse(StoredModel, named(MODEL)),
    key: v.parse(StoredModelKey, named(keyName(digest))),
  };
}

/** Written; or what another worker has written meanwhile. */
export type Shared<T> = { readonly written: true } | { readonly written: false; readonly seen: T };

/**
 * Replaces the breaker of a model, as it was seen; none where the model answers again.
 *
 * @param now  epoch milliseconds
 */
export async function writeBreaker(
  db: Db,
  spec: string,
  { breaker_revision: seen }: StoredModel,
  breaker: Breaker | undefined,
  now: number,
): Promise<Shared<StoredModel>> {
  const result = await write(
    db,
    updateItem(
      "budgets",
      { pk: partitionOf(spec), sk: MODEL },
      {
        set: { ...common(MODEL_SHAPE, now), breaker, breaker_revision: (seen ?? 0) + 1 },
        guard: { breaker_revision: asSeen(seen) },
      },
    ),
  );
  return result.written ? result : { written: false, seen: v.parse(StoredModel, result.seen ?? {}) };
}

/** What is written of a model without regard to what others write: the last one counts. @param now epoch milliseconds */
export async function noteModel(
  db: Db,
  spec: string,
  facts: Omit<StoredModel, "breaker" | "breaker_revision">,
  now: number,
): Promise<void> {
  const set = { ...common(MODEL_SHAPE, now), ...facts };
  await write(db, updateItem("budgets", { pk: partitionOf(spec), sk: MODEL }, { set }));
}

/** What a service lets one key ask; what is absent stays. */
export type KeyChange = { readonly block?: Block; readonly allowance?: Allowance };

/** Changes what is known of a key, as it was seen. @param now epoch milliseconds */
export async function writeModelKey(
  db: Db,
  spec: string,
  digest: string,
  { revision: seen }: StoredModelKey,
  change: KeyChange,
  now: number,
): Promise<Shared<StoredModelKey>> {
  const result = await write(
    db,
    updateItem(
      "budgets",
      { pk: partitionOf(spec), sk: keyName(digest) },
      {
        set: { ...common(MODEL_KEY_SHAPE, now), ...change, revision: (seen ?? 0) + 1 },
        guard: { revision: asSeen(seen) },
      },
    ),
  );
  return result.written ? result : { written: false, seen: v.parse(StoredModelKey, result.seen ?? {}) };
}

const common = (shape: number, nowMs: number) => ({
  shape,
  expires_at: Math.floor(nowMs / 1000) + KEPT_SECONDS,
});

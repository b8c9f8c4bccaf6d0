import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { deleteItem, putItem, write, writeBatch } from "../../data/index.ts";
import { addDaySums, type DayEntries, type DaySlice, type DaySums } from "../../domain/metrics/day-count.ts";
import { lastFinalDay } from "../../domain/metrics/refresh-rules.ts";
import type { UtcDay } from "../../domain/utc-day.ts";
import { type Db, queryPages } from "../db.ts";
import { shardOf } from "../index-keys.ts";
import { packJson, unpackJson } from "../objects/spill.ts";
import { removePartition } from "../remove-partition.ts";
import type { Place } from "./counted-days.ts";
import { type MetricsScope, slicesKey } from "./metrics-scope.ts";

/** Versions of the stored shapes; raised with every change of them. */
export const PROGRESS_SHAPE = 1;
export const PART_SHAPE = 1;

/**
 * The entries of a slice are spread over so many items by their keys: an item has room for 400 KB, and a day is put together from the
 * items of one number at a time, so that never all of its users are in memory.
 */
const BUCKETS = 16;
/** What was counted longer ago is counted anew. */
const USABLE_SECONDS = 3_600;
/** After this the table deletes what a refresh has left that was never made again. */
const LIFE_SECONDS = 86_400;

/**
 * How far a day is counted. The sums are of all slices so far; their entries are items of their own, which are written first: a slice
 * counts with the write of this item, once, and a process that dies before it leaves parts that the next one overwrites.
 *
 *   part#0#<n> … part#15#<n>  ──▶  progress: slices = n + 1, next row
 */
export const StoredProgress = v.object({
  slices: v.number(),
  list: v.picklist(["sessions", "evaluations"]),
  partition: v.number(),
  after: v.optional(v.string()),
  /** When the first row was read; epoch seconds. */
  begun_at: v.number(),
  sums: v.custom<DaySums>((value) => typeof value === "object"),
  expires_at: v.number(),
});

export type DayProgress = {
  readonly slices: number;
  /** Where the next slice begins. */
  readonly next: Place & { readonly list: "sessions" | "evaluations" };
  readonly begun_at: number;
  /** Undefined before the first slice. */
  readonly sums: DaySums | undefined;
};

/** A part of a slice: entries of one bucket, as packed JSON. */
export const StoredPart = v.object({
  slice: v.number(),
  packed: v.instance(Uint8Array),
  expires_at: v.number(),
});

/**
 * How far a day is counted: what an earlier refresh has left, if it is not too old. What was read before the day was final does not
 * count for a day that is final.
 *
 * @param now  epoch seconds
 */
export async function openSlices(
  db: Db,
  scope: MetricsScope,
  day: UtcDay,
  now: number,
): Promise<DayProgress> {
  const Key = { pk: slicesKey(scope, day), sk: "progress" };
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.metrics, Key, ConsistentRead: true }),
  );
  const anew: DayProgress = {
    slices: 0,
    next: { list: "sessions", partition: 0 },
    begun_at: now,
    sums: undefined,
  };
  if (!Item) return anew;
  const { slices, begun_at, sums, list, partition, after } = v.parse(StoredProgress, Item);
  const isFinal = (at: number): boolean => day <= lastFinalDay(at);
  if (begun_at + USABLE_SECONDS < now || isFinal(begun_at) !== isFinal(now)) return anew;
  return { slices, begun_at, sums, next: { list, partition, after } };
}

/** Adds a slice. @param next where the one after it begins */
export async function saveSlice(
  db: Db,
  scope: MetricsScope,
  day: UtcDay,
  { slices, begun_at, sums: before }: DayProgress,
  { sums: more, entries }: DaySlice,
  next: DayProgress["next"],
): Promise<DayProgress> {
  const pk = slicesKey(scope, day);
  const expires_at = begun_at + LIFE_SECONDS;
  // All of them: a part that a dead process has left may be in the place of an empty one.
  const parts = inBuckets(entries).map(async (bucket, at) =>
    putItem("metrics", {
      pk,
      sk: `${partPrefix(at)}${String(slices).padStart(6, "0")}`,
      slice: slices,
      packed: await packJson(bucket),
      expires_at,
      shape: PART_SHAPE,
    }),
  );
  await writeBatch(db, await Promise.all(parts));
  const sums = before ? addDaySums(before, more) : more;
  const progress = { slices: slices + 1, ...next, begun_at, sums, expires_at, shape: PROGRESS_SHAPE };
  await write(db, putItem("metrics", { pk, sk: "progress", ...progress }));
  return { slices: slices + 1, next, begun_at, sums };
}

/** The entries of a day, those of one bucket at a time: of all slices that count, and of the last one, which is not stored. */
export async function* readEntries(
  db: Db,
  scope: MetricsScope,
  day: UtcDay,
  { slices }: DayProgress,
  last: DayEntries,
): AsyncGenerator<DayEntries[], undefined> {
  if (slices === 0) {
    yield [last];
    return undefined;
  }
  for (const [at, bucket] of inBuckets(last).entries()) {
    const found: DayEntries[] = [bucket];
    const pages = queryPages(db, {
      TableName: db.tables.metrics,
      KeyConditionExpression: "pk = :pk AND begins_with(sk, :part)",
      ExpressionAttributeValues: { ":pk": slicesKey(scope, day), ":part": partPrefix(at) },
      ConsistentRead: true,
    });
    for await (const { Items = [] } of pages) {
      const parts = Items.map((item) => v.parse(StoredPart, item)).filter(({ slice }) => slice < slices);
      found.push(...(await Promise.all(parts.map(({ packed }) => entriesIn(packed)))));
    }
    yield found;
  }
  return undefined;
}

/** Removes what a day was counted from. Its progress goes first: without it nothing of the rest counts. */
export async function removeSlices(
  db: Db,
  scope: MetricsScope,
  day: UtcDay,
  { slices }: DayProgress,
): Promise<void> {
  if (slices === 0) return;
  const pk = slicesKey(scope, day);
  await write(db, deleteItem("metrics", { pk, sk: "progress" }));
  await removePartition(db, "metrics", pk);
}

/** A part that an earlier release has left has no groups, or no feedback. */
const entriesIn = async (packed: Uint8Array): Promise<DayEntries> => ({
  groups: [],
  feedback: [],
  ...(await unpackJson<Omit<DayEntries, "groups" | "feedback"> & Partial<DayEntries>>(packed)),
});

const partPrefix = (bucket: number): string => `part#${bucket}#`;

function inBuckets({ models, components, users, groups, feedback }: DayEntries): DayEntries[] {
  const bucketOf = (key: unknown): number => shardOf(JSON.stringify(key), BUCKETS);
  const byModel = Map.groupBy(models, (one) => bucketOf([one.model_provider, one.model_id]));
  const byComponent = Map.groupBy(components, ({ key }) => bucketOf(key));
  const byUser = Map.groupBy(users, ({ key }) => bucketOf(key));
  const byGroup = Map.groupBy(groups, ({ by, key }) => bucketOf([by, key]));
  const byFeedback = Map.groupBy(feedback, ({ key }) => bucketOf(["feedback", key]));
  return Array.from({ length: BUCKETS }, (_, at) => ({
    models: byModel.get(at) ?? [],
    components: byComponent.get(at) ?? [],
    users: byUser.get(at) ?? [],
    groups: byGroup.get(at) ?? [],
    feedback: byFeedback.get(at) ?? [],
  }));
}

import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import {
  anyOf,
  below,
  type Changes,
  type Guard,
  type Item,
  isNew,
  isNot,
  updateItem,
  writeAndRead,
} from "../../data/index.ts";
import type { UtcDay } from "../../domain/utc-day.ts";
import type { Db } from "../db.ts";
import { type MetricsScope, refreshKey } from "./metrics-scope.ts";

/** Version of the stored shape; raised with every change of it. */
export const REFRESH_SHAPE = 1;

const base = {
  refresh_id: v.string(),
  /** Epoch seconds. */
  started_at: v.number(),
  /** The last day that is final. */
  final_through: v.optional(v.string()),
  /** When a day was computed last; epoch seconds. */
  days_updated_at: v.optional(v.number()),
};

/** The current or last refresh of a scope. A scope that was never refreshed has no record. */
export const StoredRefresh = v.variant("status", [
  /** `busy_until`: epoch seconds at which the process that works on it must have ended. */
  v.object({ ...base, status: v.literal("running"), busy_until: v.number() }),
  v.object({ ...base, status: v.literal("completed"), finished_at: v.number() }),
  v.object({ ...base, status: v.literal("failed"), finished_at: v.number(), error: v.string() }),
]);
export type StoredRefresh = v.InferOutput<typeof StoredRefresh>;
export type RunningRefresh = Extract<StoredRefresh, { status: "running" }>;

/** @throws when the item is not a refresh of a shape that this code reads */
const refreshFrom = (item: Item): StoredRefresh => v.parse(StoredRefresh, item);

/** The last refresh of a scope; undefined if there was none. */
export async function getRefresh(db: Db, scope: MetricsScope): Promise<StoredRefresh | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.metrics, Key: refreshKey(scope), ConsistentRead: true }),
  );
  return Item && refreshFrom(Item);
}

/**
 * Records that a refresh of a scope starts. Of two concurrent requests one is refused.
 *
 * A request that is sent again after a lost answer finds its own record, and is granted.
 *
 * @param until  epoch seconds until which no other may start, unless this one ends
 * @returns      undefined when one is under way
 */
export async function requestRefresh(
  db: Db,
  scope: MetricsScope,
  { refresh_id, now, until }: { readonly refresh_id: string; readonly now: number; readonly until: number },
): Promise<RunningRefresh | undefined> {
  const refresh = await changeRefresh(db, scope, {
    set: { status: "running", refresh_id, started_at: now, busy_until: until, shape: REFRESH_SHAPE },
    remove: ["finished_at", "error"],
    guard: anyOf(isNew, { status: isNot("running") }, { busy_until: below(now) }, { refresh_id }),
  });
  return refresh?.status === "running" ? refresh : undefined;
}

export type RefreshProgress = {
  /** Epoch seconds until which no other refresh may start. */
  readonly until: number;
  /** Days up to this one are final from now on. */
  readonly final_through?: UtcDay | undefined;
  /** When a day was computed; epoch seconds. */
  readonly days_updated_at?: number;
};

/** Records the progress of a refresh. @returns undefined when another one has started */
export async function saveRefresh(
  db: Db,
  scope: MetricsScope,
  refresh: Pick<RunningRefresh, "refresh_id">,
  { until, final_through, days_updated_at }: RefreshProgress,
): Promise<RunningRefresh | undefined> {
  const saved = await changeRefresh(db, scope, {
    set: {
      busy_until: until,
      ...(final_through !== undefined && { final_through }),
      ...(days_updated_at !== undefined && { days_updated_at }),
    },
    guard: isRunning(refresh),
  });
  return saved?.status === "running" ? saved : undefined;
}

type RefreshRef = Pick<RunningRefresh, "refresh_id">;

/** Records that every day is computed. @param final_through days up to it are final */
export async function completeRefresh(
  db: Db,
  scope: MetricsScope,
  refresh: RefreshRef,
  { final_through, now }: { readonly final_through: UtcDay; readonly now: number },
): Promise<void> {
  await endRefresh(db, scope, refresh, { status: "completed", finished_at: now, final_through });
}

/** Fails a refresh; the days that it has computed stay. @param error public to everybody who may request one */
export async function failRefresh(
  db: Db,
  scope: MetricsScope,
  refresh: RefreshRef,
  { error, now }: { readonly error: string; readonly now: number },
): Promise<void> {
  await endRefresh(db, scope, refresh, { status: "failed", finished_at: now, error });
}

const endRefresh = (db: Db, scope: MetricsScope, refresh: RefreshRef, end: Changes["set"]) =>
  changeRefresh(db, scope, { set: { ...end, busy_until: undefined }, guard: isRunning(refresh) });

/** One guarded write to the record of a scope's refresh. @returns undefined when its guard refused it */
async function changeRefresh(
  db: Db,
  scope: MetricsScope,
  change: Changes & { readonly guard: Guard },
): Promise<StoredRefresh | undefined> {
  const result = await writeAndRead(db, updateItem("metrics", refreshKey(scope), change));
  return result.written ? refreshFrom(result.item) : undefined;
}

/** The guard of every write of a running refresh: no other has started since. */
const isRunning = ({ refresh_id }: Pick<RunningRefresh, "refresh_id">): Guard => ({
  refresh_id,
  status: "running",
});

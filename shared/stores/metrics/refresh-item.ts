import * as v from "valibot";
import type { Item } from "../../data/item.ts";

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
export const refreshFrom = (item: Item): StoredRefresh => v.parse(StoredRefresh, item);

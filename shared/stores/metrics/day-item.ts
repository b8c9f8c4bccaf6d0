import * as v from "valibot";
import type { Item } from "../../data/item.ts";
import { dayFigures } from "../../schemas/traces/metrics.ts";

/** Version of the stored shape; raised with every change of it. */
export const METRICS_DAY_SHAPE = 2;

/** The figures of one day, as last computed. */
export const StoredMetricsDay = v.object({
  /** In UTC, such as `2026-11-21`. */
  day: v.string(),
  ...dayFigures,
  /** The refresh that computed it last. */
  refresh_id: v.string(),
  /** Epoch seconds. */
  created_at: v.number(),
  updated_at: v.number(),
});
export type StoredMetricsDay = v.InferOutput<typeof StoredMetricsDay>;

/** @throws when the item is not a day of a shape that this code reads */
export const metricsDayFrom = (item: Item): StoredMetricsDay => v.parse(StoredMetricsDay, item);

import { write } from "../../data/write.ts";
import { ifAbsent, updateItem } from "../../data/writes.ts";
import type { Db } from "../db.ts";
import { METRICS_DAY_SHAPE, type StoredMetricsDay } from "./day-item.ts";
import { dayKey, type MetricsScope } from "./metrics-scope.ts";

/** Overwrites a day's figures, but not the time at which it was first computed. */
export async function putDay(
  db: Db,
  scope: MetricsScope,
  { created_at, ...figures }: StoredMetricsDay,
): Promise<void> {
  const set = {
    created_at: ifAbsent(created_at),
    cost: undefined,
    ...figures,
    shape: METRICS_DAY_SHAPE,
  };
  await write(db, updateItem("metrics", dayKey(scope, figures.day), { set }));
}

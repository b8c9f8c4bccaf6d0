import { write } from "../../data/write.ts";
import { deleteItem } from "../../data/writes.ts";
import type { UtcDay } from "../../domain/utc-day.ts";
import type { Db } from "../db.ts";
import { dayKey, type MetricsScope } from "./metrics-scope.ts";

/** Deletes a day that was computed before all of its sessions were removed. */
export async function removeDay(db: Db, scope: MetricsScope, day: UtcDay): Promise<void> {
  await write(db, deleteItem("metrics", dayKey(scope, day)));
}

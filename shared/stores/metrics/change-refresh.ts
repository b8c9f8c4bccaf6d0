import type { Guard } from "../../data/guard.ts";
import { writeAndRead } from "../../data/write.ts";
import { type Changes, updateItem } from "../../data/writes.ts";
import type { Db } from "../db.ts";
import { type MetricsScope, refreshKey } from "./metrics-scope.ts";
import { type RunningRefresh, refreshFrom, type StoredRefresh } from "./refresh-item.ts";

/** One guarded write to the record of a scope's refresh. @returns undefined when its guard refused it */
export async function changeRefresh(
  db: Db,
  scope: MetricsScope,
  change: Changes & { readonly guard: Guard },
): Promise<StoredRefresh | undefined> {
  const result = await writeAndRead(db, updateItem("metrics", refreshKey(scope), change));
  return result.written ? refreshFrom(result.item) : undefined;
}

/** The guard of every write of a running refresh: no other has started since. */
export const isRunning = ({ refresh_id }: Pick<RunningRefresh, "refresh_id">): Guard => ({
  refresh_id,
  status: "running",
});

import { anyOf, below, isNew, isNot } from "../../data/guard.ts";
import type { Db } from "../db.ts";
import { changeRefresh } from "./change-refresh.ts";
import type { MetricsScope } from "./metrics-scope.ts";
import { REFRESH_SHAPE, type RunningRefresh } from "./refresh-item.ts";

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

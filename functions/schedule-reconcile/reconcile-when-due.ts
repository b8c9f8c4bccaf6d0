import { epochSeconds } from "../../shared/runtime/clock.ts";
import { getComparison, putComparison } from "../../shared/stores/schedules/index.ts";
import { reconcile } from "./reconcile.ts";
import type { ReconcileDeps, Reconciled } from "./reconcile-deps.ts";

const DAY_SECONDS = 86_400;

/**
 * Compares once a day, and at once when the group of the entries is another one: a service that was removed and deployed
 * again, or replaced by an upgrade, begins with an empty group. A comparison that failed, or that left a schedule for
 * later, is done again with the next call.
 *
 * @returns undefined when no comparison is due
 */
export async function reconcileWhenDue(deps: ReconcileDeps): Promise<Reconciled | undefined> {
  const { db, scheduler, clock } = deps;
  const now = epochSeconds(clock);
  const groupMadeAt = await scheduler.groupMadeAt();
  const last = await getComparison(db);
  const isDue =
    last === undefined || last.group_made_at !== groupMadeAt || now - last.compared_at >= DAY_SECONDS;
  if (!isDue) return undefined;
  const reconciled = await reconcile(deps, groupMadeAt);
  if (reconciled.unsettled === 0) await putComparison(db, { compared_at: now, group_made_at: groupMadeAt });
  return reconciled;
}

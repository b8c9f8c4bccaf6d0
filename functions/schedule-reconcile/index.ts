import { deliveryWaker } from "../../shared/queue/delivery-queue.ts";
import { systemClock } from "../../shared/runtime/clock.ts";
import { createLog } from "../../shared/runtime/create-log.ts";
import { connectScheduler } from "../../shared/scheduler/connect-scheduler.ts";
import { scheduleReconcileEnv } from "../../shared/settings/environments.ts";
import { readEnv } from "../../shared/settings/read-env.ts";
import { connectDb } from "../../shared/stores/db.ts";
import { reconcile } from "./reconcile.ts";
import type { ReconcileDeps, Reconciled } from "./reconcile-deps.ts";
import { reconcileWhenDue } from "./reconcile-when-due.ts";

const env = readEnv(scheduleReconcileEnv);
const deps: ReconcileDeps = {
  db: connectDb(env, deliveryWaker(env.DELIVERY_QUEUE_URL)),
  scheduler: connectScheduler(env),
  clock: systemClock,
  log: createLog(env.POWERTOOLS_SERVICE_NAME),
};

/** What a restore of the tables invokes it with; a timer's event has no such member. */
type Invoked = { readonly after_restore?: boolean };

/**
 * Runs by a timer: reconciles the scheduler with the schedules, when that is due. After a restore it does so at once, and
 * waits for nothing to settle: nothing else writes then, and what it repairs is no accident.
 *
 * @throws Error after a repair: a schedule that would not have fired is no ordinary operation, and the alarm watches
 *         the function's errors
 */
export async function handler({ after_restore }: Invoked): Promise<Reconciled | undefined> {
  if (after_restore === true) {
    const done = await reconcile(deps, await deps.scheduler.groupMadeAt(), 0);
    deps.log.info("schedules compared after a restore", done);
    return done;
  }
  const reconciled = await reconcileWhenDue(deps);
  if (reconciled === undefined) return undefined;
  deps.log.info("schedules compared", reconciled);
  if (reconciled.repaired === 0) return reconciled;
  throw new Error(`${reconciled.repaired} schedules had no entry at the scheduler; they have one now`);
}

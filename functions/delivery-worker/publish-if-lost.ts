import { epochSeconds } from "../../shared/runtime/clock.ts";
import {
  getLeaseWatch,
  publishLostRun,
  removeWatch,
  runEvent,
  watchAgain,
} from "../../shared/stores/outbox/index.ts";
import { getRunHead } from "../../shared/stores/runs/get-run.ts";
import type { DeliveryWorkerDeps } from "./delivery-worker-deps.ts";

/**
 * Looks whether the process of a foreground run is lost, and writes the event that the process could not write.
 *
 * @returns whether an event was written
 */
export async function publishIfLost({ db, clock }: DeliveryWorkerDeps, runId: string): Promise<boolean> {
  const now = epochSeconds(clock);
  const watch = await getLeaseWatch(db, runId);
  if (!watch) return false;
  const { owner, session_id } = watch;
  const run = await getRunHead(db, { owner, session_id, run_id: runId }, now);
  const leaseUntil = run?.lease_until;
  if (run?.status === "RUNNING" && leaseUntil !== undefined) {
    await watchAgain(db, runId, leaseUntil);
    return false;
  }
  // A run whose end was written has no lease any more.
  const isLost = run?.status === "ERROR" && leaseUntil !== undefined;
  const event = isLost
    ? await runEvent(db, run, { status: "ERROR", attempt: run.attempt, now: leaseUntil })
    : undefined;
  if (event && (await publishLostRun(db, runId, event))) return true;
  await removeWatch(db, runId);
  return false;
}

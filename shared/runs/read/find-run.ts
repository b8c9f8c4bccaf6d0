import type { Caller } from "../../auth/caller.ts";
import type { Db } from "../../stores/db.ts";
import { getJob } from "../../stores/jobs/get-job.ts";
import { runOf } from "../../stores/run-of-job.ts";
import { getRun } from "../../stores/runs/get-run.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import { findVisibleRun, isRunOf, type RunQuery } from "./visible-run.ts";

/**
 * A run that the caller may see. Without its session a run is found by its job; a foreground run has none and is not
 * found.
 *
 * @param now  epoch seconds
 */
export async function findRun(
  db: Db,
  caller: Caller,
  { session_id, ...address }: Omit<RunQuery, "session_id"> & { readonly session_id: string | undefined },
  now: number,
): Promise<StoredRun | undefined> {
  if (session_id !== undefined) return findVisibleRun(db, caller, { ...address, session_id }, now);
  const job = caller.seesAll ? await getJob(db, address.run_id, now) : undefined;
  const run = job && (await getRun(db, runOf(job), now));
  return run && isRunOf(address.component, run) ? run : undefined;
}

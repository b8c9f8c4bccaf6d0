import { type Clock, epochSeconds } from "../../shared/runtime/clock.ts";
import type { Db } from "../../shared/stores/db.ts";
import { getScheduleRun, refOf, type StoredScheduleRun } from "../../shared/stores/schedules/index.ts";

/** Wait between two reads: short at first, for calls that are answered at once. */
const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 1_000;

/**
 * Waits until the last attempt at a slot is over, or for as long as there is time.
 *
 * @param until  epoch milliseconds
 * @returns      the last attempt that there is by then
 */
export async function awaitAttempts(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  first: StoredScheduleRun,
  until: number,
  signal: AbortSignal,
): Promise<StoredScheduleRun> {
  let run = first;
  for (let waitMs = FIRST_WAIT_MS; isUnderWay(run) && clock.now() < until && !signal.aborted; ) {
    await clock.sleep(Math.min(waitMs, Math.max(0, until - clock.now())));
    waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
    run = (await lastAttempt(db, run, epochSeconds(clock))) ?? run;
  }
  return run;
}

async function lastAttempt(
  db: Db,
  run: StoredScheduleRun,
  now: number,
): Promise<StoredScheduleRun | undefined> {
  const seen = await getScheduleRun(db, refOf(run), now);
  if (seen?.next === undefined) return seen;
  const ref = { schedule_id: run.schedule_id, schedule_run_id: seen.next };
  return (await getScheduleRun(db, ref, now)) ?? seen;
}

/** Waiting for an answer, for a run, or for the next attempt. */
const isUnderWay = ({ stage, next }: StoredScheduleRun): boolean => stage !== undefined || next !== undefined;

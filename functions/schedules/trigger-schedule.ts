import { driftOf } from "../../shared/domain/schedules/is-drifted.ts";
import { ServiceError } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { scheduleRoutes } from "../../shared/routes/schedules.ts";
import { type Clock, epochSeconds } from "../../shared/runtime/clock.ts";
import { disableForGood } from "../../shared/scheduler/disable-for-good.ts";
import type { ScheduleRun } from "../../shared/schemas/schedules/schedule-run.ts";
import type { Db } from "../../shared/stores/db.ts";
import {
  getScheduleRun,
  openScheduleRun,
  refOf,
  removeUnstarted,
  type StoredSchedule,
  type StoredScheduleRun,
  slotNotRun,
  triggeredRun,
  wireScheduleRun,
} from "../../shared/stores/schedules/index.ts";
import { requireRunScope } from "./require-run-scope.ts";
import type { SchedulesDeps } from "./schedules-deps.ts";
import { noSchedule, visibleSchedule } from "./visible-schedule.ts";

/** The HTTP API gives a request half a minute. */
const WAIT_MS = 20_000;

/**
 * Runs a schedule once, now, independently of its slots, with its retries and their waits; the request waits for the
 * first 20 seconds of them only.
 *
 * @source docs/interface/schedules.md 5.1
 */
export const triggerSchedule: Handler<typeof scheduleRoutes.triggerSchedule, SchedulesDeps> = async (
  { params, principal, signal },
  deps,
) => {
  const until = deps.clock.now() + WAIT_MS;
  const schedule = await visibleSchedule(deps.db, principal, params.schedule_id);
  if (!schedule.enabled) throw new ServiceError("CONFLICT", "the schedule is disabled; enable it first");
  requireRunScope(principal, schedule);
  const drift = driftOf(schedule);
  if (drift) return refuseDrifted(deps, schedule, drift);
  const run = triggeredRun(schedule, deps.newId(), epochSeconds(deps.clock));
  const opened = await openScheduleRun(deps.db, run);
  // An existing record is this one: its id is new.
  if (!opened.opened && opened.because !== "exists") throw noSchedule();
  await start(deps, run);
  return wireScheduleRun(await awaitAttempts(deps, run, until, signal));
};

/** As a slot does: a failed attempt that says why, and the schedule is disabled until a person enables it. */
async function refuseDrifted(
  deps: SchedulesDeps,
  schedule: StoredSchedule,
  { reason, disabledReason }: NonNullable<ReturnType<typeof driftOf>>,
): Promise<ScheduleRun> {
  const now = epochSeconds(deps.clock);
  const slot = { schedule_id: schedule.id, slot: `trigger:${deps.newId()}`, attempt: 1, at: now };
  const run = slotNotRun(schedule, slot, "failed", reason, now);
  await openScheduleRun(deps.db, run);
  await disableForGood(deps, schedule, disabledReason);
  return wireScheduleRun(run);
}

/** @throws what the queue throws when the message cannot be sent, which becomes 503: nothing will be run then */
async function start({ db, queue, log }: SchedulesDeps, run: StoredScheduleRun): Promise<void> {
  try {
    await queue.wake(refOf(run));
  } catch (error) {
    if (await removeUnstarted(db, run)) throw error;
    log.warn("a trigger was sent, and its answer lost", { schedule_run_id: run.id, error: String(error) });
  }
}

/** Wait between two reads: short at first, for calls that are answered at once. */
const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 1_000;

/**
 * Waits until the last attempt at a slot is over, or for as long as there is time.
 *
 * @param until  epoch milliseconds
 * @returns      the last attempt that there is by then
 */
async function awaitAttempts(
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

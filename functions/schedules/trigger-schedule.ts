import { driftOf } from "../../shared/domain/schedules/is-drifted.ts";
import { ServiceError } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { scheduleRoutes } from "../../shared/routes/schedules.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { disableForGood } from "../../shared/scheduler/disable-for-good.ts";
import type { ScheduleRun } from "../../shared/schemas/schedules/schedule-run.ts";
import {
  openScheduleRun,
  refOf,
  removeUnstarted,
  type StoredSchedule,
  type StoredScheduleRun,
  slotNotRun,
  triggeredRun,
  wireScheduleRun,
} from "../../shared/stores/schedules/index.ts";
import { awaitAttempts } from "./await-attempts.ts";
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

import { ServiceError } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { scheduleRoutes } from "../../shared/routes/schedules.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { triggeredRun } from "../../shared/stores/schedules/runs/new-run.ts";
import { openScheduleRun, removeUnstarted } from "../../shared/stores/schedules/runs/open-run.ts";
import {
  refOf,
  type StoredScheduleRun,
  wireScheduleRun,
} from "../../shared/stores/schedules/runs/run-item.ts";
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
 * @source contract, schedules section 8, "Trigger", and section 9
 */
export const triggerSchedule: Handler<typeof scheduleRoutes.triggerSchedule, SchedulesDeps> = async (
  { params, principal, signal },
  deps,
) => {
  const until = deps.clock.now() + WAIT_MS;
  const schedule = await visibleSchedule(deps.db, principal, params.schedule_id);
  if (!schedule.enabled) throw new ServiceError("CONFLICT", "the schedule is disabled; enable it first");
  requireRunScope(principal, schedule);
  const run = triggeredRun(schedule, deps.newId(), epochSeconds(deps.clock));
  const opened = await openScheduleRun(deps.db, run);
  // An existing record is this one: its id is new.
  if (!opened.opened && opened.because !== "exists") throw noSchedule();
  await start(deps, run);
  return wireScheduleRun(await awaitAttempts(deps, run, until, signal));
};

/** @throws what the queue throws when the message cannot be sent, which becomes 503: nothing will be run then */
async function start({ db, queue, log }: SchedulesDeps, run: StoredScheduleRun): Promise<void> {
  try {
    await queue.wake(refOf(run));
  } catch (error) {
    if (await removeUnstarted(db, run)) throw error;
    log.warn("a trigger was sent, and its answer lost", { schedule_run_id: run.id, error: String(error) });
  }
}

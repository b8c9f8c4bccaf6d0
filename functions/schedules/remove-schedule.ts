import type { Handler } from "../../shared/http/handler.ts";
import type { scheduleRoutes } from "../../shared/routes/schedules.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { removePartition } from "../../shared/stores/remove-partition.ts";
import { removeSchedule as takeAway } from "../../shared/stores/schedules/remove-schedule.ts";
import { schedulePartition } from "../../shared/stores/schedules/schedule-keys.ts";
import { dropEntries } from "./scheduler-entries.ts";
import type { SchedulesDeps } from "./schedules-deps.ts";
import { changedByOthers, TRIES } from "./tries.ts";
import { visibleSchedule } from "./visible-schedule.ts";

type Needs = Pick<SchedulesDeps, "db" | "clock" | "scheduler" | "log">;

/** Records of runs that are removed at once; of more the rest goes with the daily comparison. */
const RUNS_AT_ONCE = 500;

/** Its runs cannot be found any more once it is gone. @source contract, schedules section 4 */
export const removeSchedule: Handler<typeof scheduleRoutes.removeSchedule, Needs> = async (
  { params, principal },
  deps,
) => {
  for (let tryNumber = 0; tryNumber < TRIES; tryNumber += 1) {
    const schedule = await visibleSchedule(deps.db, principal, params.schedule_id);
    if (!(await takeAway(deps.db, schedule, epochSeconds(deps.clock)))) continue;
    if (schedule.enabled) await dropEntries(deps, schedule);
    await removeRuns(deps, schedule.id);
    return undefined;
  }
  throw changedByOthers();
};

/** Nobody finds them any more, so what fails here is left to the daily comparison. */
async function removeRuns({ db, log }: Needs, id: string): Promise<void> {
  try {
    await removePartition(db, "schedules", schedulePartition(id), RUNS_AT_ONCE);
  } catch (error) {
    log.warn("runs of a removed schedule stay for now", { schedule_id: id, error: String(error) });
  }
}

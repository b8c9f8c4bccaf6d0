import type { Handler } from "../../shared/http/handler.ts";
import type { scheduleRoutes } from "../../shared/routes/schedules.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { removePartition } from "../../shared/stores/remove-partition.ts";
import { removeSchedule as deleteSchedule, schedulePartition } from "../../shared/stores/schedules/index.ts";
import { changeVisible } from "./change-visible.ts";
import { dropEntries } from "./scheduler-entries.ts";
import type { SchedulesDeps } from "./schedules-deps.ts";

type Needs = Pick<SchedulesDeps, "db" | "clock" | "scheduler" | "log">;

/** Records of runs that are removed at once; the daily reconciliation removes the rest. */
const RUNS_AT_ONCE = 500;

/** Its runs cannot be found any more once it is removed. */
export const removeSchedule: Handler<typeof scheduleRoutes.removeSchedule, Needs> = async (
  { params, principal },
  deps,
) => {
  const { db, clock } = deps;
  const removed = await changeVisible(db, principal, params.schedule_id, async (schedule) =>
    (await deleteSchedule(db, schedule, epochSeconds(clock))) ? schedule : undefined,
  );
  if (removed.enabled) await dropEntries(deps, removed);
  await removeRuns(deps, removed.id);
  return undefined;
};

/** They cannot be found any more, so what fails here is left to the daily reconciliation. */
async function removeRuns({ db, log }: Needs, id: string): Promise<void> {
  try {
    await removePartition(db, "schedules", schedulePartition(id), RUNS_AT_ONCE);
  } catch (error) {
    log.warn("runs of a removed schedule were not removed yet", { schedule_id: id, error: String(error) });
  }
}

import type { Handler } from "../../shared/http/handler.ts";
import type { scheduleRoutes } from "../../shared/routes/schedules.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { changeSchedule } from "../../shared/stores/schedules/index.ts";
import { changeVisible } from "./change-visible.ts";
import { dropEntries } from "./scheduler-entries.ts";
import type { SchedulesDeps } from "./schedules-deps.ts";
import { upToDate, wireState } from "./wire-schedule.ts";

type Needs = Pick<SchedulesDeps, "db" | "clock" | "scheduler" | "log">;

/** The row decides, so a schedule can be stopped while the scheduler is not available. */
export const disableSchedule: Handler<typeof scheduleRoutes.disableSchedule, Needs> = (
  { params, principal },
  deps,
) => {
  const now = epochSeconds(deps.clock);
  return changeVisible(deps.db, principal, params.schedule_id, async (before) => {
    if (!before.enabled) return wireState(before, now);
    const after = { ...upToDate(before, now), enabled: false, updated_at: now };
    const result = await changeSchedule(deps.db, before, after, now);
    if (!result.changed) return undefined;
    await dropEntries(deps, before);
    return wireState(result.schedule, now);
  });
};

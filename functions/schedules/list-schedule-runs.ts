import type { Handler } from "../../shared/http/handler.ts";
import type { scheduleRoutes } from "../../shared/routes/schedules.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { pageMeta } from "../../shared/schemas/values/page.ts";
import { listScheduleRuns as listRuns, wireScheduleRun } from "../../shared/stores/schedules/index.ts";
import type { SchedulesDeps } from "./schedules-deps.ts";
import { visibleSchedule } from "./visible-schedule.ts";

type Needs = Pick<SchedulesDeps, "db" | "clock">;

export const listScheduleRuns: Handler<typeof scheduleRoutes.listScheduleRuns, Needs> = async (
  { params, query, principal },
  { db, clock },
) => {
  const { id } = await visibleSchedule(db, principal, params.schedule_id);
  const { runs, total } = await listRuns(db, id, query, epochSeconds(clock));
  return { data: runs.map(wireScheduleRun), meta: pageMeta(query.page, query.limit, total, 0) };
};

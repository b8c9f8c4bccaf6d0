import { callerOf } from "../../shared/auth/caller.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { scheduleRoutes } from "../../shared/routes/schedules.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { pageMeta } from "../../shared/schemas/values/page.ts";
import {
  listSchedules as findSchedules,
  latestScheduleRuns,
  type StoredSchedule,
  wireScheduleRun,
} from "../../shared/stores/schedules/index.ts";
import type { SchedulesDeps } from "./schedules-deps.ts";
import { wireSchedule } from "./wire-schedule.ts";

type Needs = Pick<SchedulesDeps, "db" | "clock">;

/** @source docs/interface/schedules.md 1.2 */
export const listSchedules: Handler<typeof scheduleRoutes.listSchedules, Needs> = async (
  { query, principal },
  { db, clock },
) => {
  const { page, limit } = query;
  const caller = callerOf(principal);
  const owner = caller.seesAll ? undefined : caller.user_id;
  const now = epochSeconds(clock);
  const { schedules, total } = await findSchedules(db, { owner, enabled: query.enabled, page, limit }, now);
  const listed = async (schedule: StoredSchedule) => ({
    ...wireSchedule(schedule, now),
    ...(query.latest_runs > 0 && {
      latest_runs: (await latestScheduleRuns(db, schedule.id, query.latest_runs, now)).map(wireScheduleRun),
    }),
  });
  return {
    data: await Promise.all(schedules.map(listed)),
    meta: pageMeta(page, limit, total, 0),
  };
};

import type { Handler } from "../../shared/http/handler.ts";
import type { scheduleRoutes } from "../../shared/routes/schedules.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { SchedulesDeps } from "./schedules-deps.ts";
import { visibleSchedule } from "./visible-schedule.ts";
import { wireSchedule } from "./wire-schedule.ts";

type Needs = Pick<SchedulesDeps, "db" | "clock">;

export const getSchedule: Handler<typeof scheduleRoutes.getSchedule, Needs> = async (
  { params, principal },
  { db, clock },
) => wireSchedule(await visibleSchedule(db, principal, params.schedule_id), epochSeconds(clock));

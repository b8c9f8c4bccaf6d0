import { ServiceError } from "../../shared/errors.ts";
import type { Handler, HandlerRequest } from "../../shared/http/handler.ts";
import type { scheduleRoutes } from "../../shared/routes/schedules.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { createSchedule as storeSchedule } from "../../shared/stores/schedules/create-schedule.ts";
import type { StoredSchedule } from "../../shared/stores/schedules/schedule-item.ts";
import type { SchedulesDeps } from "./schedules-deps.ts";
import { wireSchedule } from "./wire-schedule.ts";

type Request = HandlerRequest<typeof scheduleRoutes.createSchedule>;

/** @source contract, schedules section 3 */
export const createSchedule: Handler<typeof scheduleRoutes.createSchedule, SchedulesDeps> = async (
  request,
  deps,
) => {
  const schedule = newSchedule(request, deps);
  const created = await storeSchedule(deps.db, schedule);
  if (!created.created) throw nameTaken(schedule.name);
  return wireSchedule(schedule);
};

function newSchedule({ body, principal }: Request, { clock, newId }: SchedulesDeps): StoredSchedule {
  return {
    ...body,
    id: newId(),
    user_id: principal.user_id,
    enabled: true,
    next_run_at: null,
    managed_by: null,
    target_type: null,
    target_id: null,
    disabled_reason: null,
    created_at: epochSeconds(clock),
    updated_at: null,
    version: 1,
  };
}

export const nameTaken = (name: string): ServiceError =>
  new ServiceError("CONFLICT", `you have a schedule named ${name} already`);

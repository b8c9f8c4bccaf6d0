import { callerOf } from "../../shared/auth/caller.ts";
import { ServiceError } from "../../shared/errors.ts";
import type { Handler, HandlerRequest } from "../../shared/http/handler.ts";
import type { scheduleRoutes } from "../../shared/routes/schedules.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import {
  isNameTaken,
  type StoredSchedule,
  createSchedule as storeSchedule,
} from "../../shared/stores/schedules/index.ts";
import { newPlan } from "./new-plan.ts";
import { refuseBadCallback } from "./refuse-bad-callback.ts";
import { refuseSessionOfChat } from "./refuse-session-of-chat.ts";
import { requireRunScope } from "./require-run-scope.ts";
import { requireUsableTarget } from "./require-usable-target.ts";
import { addEntries, dropEntries } from "./scheduler-entries.ts";
import type { SchedulesDeps } from "./schedules-deps.ts";
import { wireSchedule } from "./wire-schedule.ts";

type Request = HandlerRequest<typeof scheduleRoutes.createSchedule>;

/** @source docs/interface/schedules.md 2.1 */
export const createSchedule: Handler<typeof scheduleRoutes.createSchedule, SchedulesDeps> = async (
  request,
  deps,
) => {
  const schedule = newSchedule(request, deps);
  refuseSessionOfChat(schedule);
  refuseBadCallback(schedule, deps);
  requireRunScope(request.principal, schedule);
  await requireUsableTarget(schedule, deps);
  // Checked before the scheduler is called; the transaction decides.
  if (await isNameTaken(deps.db, schedule)) throw nameTaken(schedule.name);
  await addEntries(deps, schedule);
  const created = await storeSchedule(deps.db, schedule);
  if (!created) {
    await dropEntries(deps, schedule);
    throw nameTaken(schedule.name);
  }
  return wireSchedule(schedule, schedule.created_at);
};

function newSchedule({ body, principal }: Request, deps: SchedulesDeps): StoredSchedule {
  return {
    ...body,
    payload: body.payload ?? {},
    id: deps.newId(),
    user_id: callerOf(principal).user_id,
    ...newPlan(body, deps),
    enabled: true,
    managed_by: null,
    target_type: null,
    target_id: null,
    disabled_reason: null,
    created_at: epochSeconds(deps.clock),
    updated_at: null,
    version: 1,
  };
}

export const nameTaken = (name: string): ServiceError =>
  new ServiceError("CONFLICT", `a schedule named ${name} exists already; choose another name`);

import { isOnDemand } from "../../shared/domain/cron/timing-of.ts";
import type { Handler, HandlerRequest } from "../../shared/http/handler.ts";
import type { scheduleRoutes } from "../../shared/routes/schedules.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { changeSchedule, isNameTaken, type StoredSchedule } from "../../shared/stores/schedules/index.ts";
import { changeVisible } from "./change-visible.ts";
import { nameTaken } from "./create-schedule.ts";
import { newPlan } from "./new-plan.ts";
import { refuseBadCallback } from "./refuse-bad-callback.ts";
import { refuseSessionOfChat } from "./refuse-session-of-chat.ts";
import { requireRunScope } from "./require-run-scope.ts";
import { requireUsableTarget } from "./require-usable-target.ts";
import { addEntries, dropEntries } from "./scheduler-entries.ts";
import type { SchedulesDeps } from "./schedules-deps.ts";
import { wireSchedule } from "./wire-schedule.ts";

type Request = HandlerRequest<typeof scheduleRoutes.updateSchedule>;

/** @source docs/interface/schedules.md 2.4 */
export const updateSchedule: Handler<typeof scheduleRoutes.updateSchedule, SchedulesDeps> = (
  request,
  deps,
) => {
  const { principal, params, body } = request;
  const now = epochSeconds(deps.clock);
  return changeVisible(deps.db, principal, params.schedule_id, async (before) => {
    if (Object.keys(body).length === 0) return wireSchedule(before, now);
    const after = changed(before, body, deps);
    await requirePermitted(before, after, request, deps);
    const written = await write(before, after, deps);
    return written && wireSchedule(written, now);
  });
};

/** The schedule with the requested changes. New times of an enabled schedule are a new plan. */
function changed(before: StoredSchedule, body: Request["body"], deps: SchedulesDeps): StoredSchedule {
  const { description = before.description, payload = before.payload, ...rest } = body;
  const after = {
    ...before,
    ...rest,
    description,
    payload: payload ?? {},
    updated_at: epochSeconds(deps.clock),
  };
  if (isOnDemand(after) && !after.enabled) return { ...after, next_run_at: null };
  const isRetimed = after.cron_expr !== before.cron_expr || after.timezone !== before.timezone;
  return isRetimed && after.enabled ? { ...after, ...newPlan(after, deps) } : after;
}

/** Whoever changes what is called, with what or when, has it called: only what it is named needs no scope to run it. */
async function requirePermitted(
  before: StoredSchedule,
  after: StoredSchedule,
  { principal, body }: Request,
  deps: SchedulesDeps,
): Promise<void> {
  const { name: _name, description: _description, ...call } = body;
  if (Object.keys(call).length > 0) requireRunScope(principal, after);
  if (after.payload !== before.payload) {
    refuseSessionOfChat(after);
    refuseBadCallback(after, deps);
  }
  const isAimed = after.endpoint !== before.endpoint || after.method !== before.method;
  if (isAimed) await requireUsableTarget(after, deps);
  if (after.name !== before.name && (await isNameTaken(deps.db, after))) throw nameTaken(after.name);
}

/** @returns undefined when another request changed it first */
async function write(
  before: StoredSchedule,
  after: StoredSchedule,
  deps: SchedulesDeps,
): Promise<StoredSchedule | undefined> {
  const isReplanned = after.plan_id !== before.plan_id;
  if (isReplanned) await addEntries(deps, after);
  const result = await changeSchedule(deps.db, before, after, epochSeconds(deps.clock));
  if (isReplanned) await dropEntries(deps, result.changed ? before : after);
  if (result.changed) return result.schedule;
  if (result.because === "name") throw nameTaken(after.name);
  return undefined;
}

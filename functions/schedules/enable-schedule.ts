import { isDrifted } from "../../shared/domain/schedules/is-drifted.ts";
import { ServiceError } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { scheduleRoutes } from "../../shared/routes/schedules.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { changeSchedule, type StoredSchedule } from "../../shared/stores/schedules/index.ts";
import { changeVisible } from "./change-visible.ts";
import { newPlan } from "./new-plan.ts";
import { requireRunScope } from "./require-run-scope.ts";
import { requireUsableTarget } from "./require-usable-target.ts";
import { addEntries, dropEntries } from "./scheduler-entries.ts";
import type { SchedulesDeps } from "./schedules-deps.ts";
import { wireState } from "./wire-schedule.ts";

/** The schedule fires again from now on; slots that it missed while disabled are not made up for. */
export const enableSchedule: Handler<typeof scheduleRoutes.enableSchedule, SchedulesDeps> = (
  { params, principal },
  deps,
) => {
  const now = epochSeconds(deps.clock);
  return changeVisible(deps.db, principal, params.schedule_id, async (before) => {
    requireRunScope(principal, before);
    await requireUsableTarget(before, deps);
    if (isDrifted(before)) throw drifted(before);
    await requireOwner(before, deps);
    if (before.enabled) return wireState(before, now);
    const after = {
      ...before,
      ...newPlan(before, deps),
      enabled: true,
      disabled_reason: null,
      updated_at: now,
    };
    await addEntries(deps, after);
    const result = await changeSchedule(deps.db, before, after, now);
    if (result.changed) return wireState(result.schedule, now);
    await dropEntries(deps, after);
    return undefined;
  });
};

/** An admin may enable anybody's schedule; one whose owner may not call would be disabled at its next slot. */
async function requireOwner(schedule: StoredSchedule, { ownerRefusalOf }: SchedulesDeps): Promise<void> {
  const refusal = await ownerRefusalOf(schedule);
  if (refusal) throw new ServiceError("CONFLICT", refusal.error);
}

type Aimed = {
  readonly endpoint: string;
  readonly target_type: string | null;
  readonly target_id: string | null;
};

const drifted = ({ endpoint, target_type, target_id }: Aimed): ServiceError =>
  new ServiceError(
    "CONFLICT",
    `the schedule was made to run ${target_type} ${target_id}, and its endpoint is ${endpoint}; change the endpoint first`,
  );

import { eventBridgeExpressions } from "../../shared/domain/cron/eventbridge-expressions.ts";
import { nextRunAt } from "../../shared/domain/cron/next-run-at.ts";
import { isOnDemand, type Timing, timingOf } from "../../shared/domain/cron/timing-of.ts";
import { ServiceError } from "../../shared/errors.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { StoredSchedule } from "../../shared/stores/schedules/index.ts";
import type { SchedulesDeps } from "./schedules-deps.ts";

/** Enough to distinguish the plans of one schedule. */
const PLAN_ID_CHARS = 8;

/**
 * The stored fields of new times of a schedule, from now on. One that runs on demand has no times.
 *
 * @throws ServiceError UNPROCESSABLE for times that a zone always skips
 */
export function newPlan(
  timing: Timing,
  { clock, newId }: Pick<SchedulesDeps, "clock" | "newId">,
): Pick<StoredSchedule, "plan_id" | "entries" | "next_run_at"> {
  const plan_id = newId().slice(0, PLAN_ID_CHARS);
  if (isOnDemand(timing)) return { plan_id, entries: 0, next_run_at: null };
  const next_run_at = nextRunAt(timing, epochSeconds(clock));
  if (next_run_at === null) {
    throw new ServiceError("UNPROCESSABLE", `"${timing.cron_expr}" never comes in ${timing.timezone}`);
  }
  return { plan_id, entries: eventBridgeExpressions(timingOf(timing).cron).length, next_run_at };
}

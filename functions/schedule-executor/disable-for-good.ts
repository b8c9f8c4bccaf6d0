import { auditDisabled } from "../../shared/runtime/audit-disabled.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { entryNames } from "../../shared/scheduler/plan-entries.ts";
import { changeSchedule } from "../../shared/stores/schedules/change-schedule.ts";
import { disabledBy } from "../../shared/stores/schedules/disable-schedules.ts";
import type { StoredSchedule } from "../../shared/stores/schedules/schedule-item.ts";
import type { ExecutorDeps } from "./executor-deps.ts";

type Needs = Pick<ExecutorDeps, "db" | "clock" | "log" | "scheduler">;

/**
 * Disables a schedule that must not fire again until a person enables it: its endpoint is not what it was made for, or
 * its owner may not call it. A schedule that was changed at the same moment is left to its next slot; entries that
 * remain at the scheduler are left to the daily reconciliation.
 *
 * @param reason  its `disabled_reason`
 * @source contract, schedules section 7
 */
export async function disableForGood(
  { db, clock, log, scheduler }: Needs,
  schedule: StoredSchedule,
  reason: string,
): Promise<void> {
  const now = epochSeconds(clock);
  const { changed } = await changeSchedule(db, schedule, disabledBy(schedule, reason, now), now);
  if (!changed) return;
  auditDisabled(log, { schedule_id: schedule.id, owner: schedule.user_id, reason });
  await scheduler
    .remove(entryNames(schedule))
    .catch((error) =>
      log.warn("entries remain at the scheduler", { schedule_id: schedule.id, error: String(error) }),
    );
}

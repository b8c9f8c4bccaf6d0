import { auditDisabled } from "../runtime/audit-disabled.ts";
import { type Clock, epochSeconds } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import type { Db } from "../stores/db.ts";
import { changeSchedule, disabledBy, type StoredSchedule } from "../stores/schedules/index.ts";
import { entryNames } from "./plan-entries.ts";
import type { Scheduler } from "./scheduler.ts";

type Needs = {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly scheduler: Pick<Scheduler, "remove">;
};

/**
 * Disables a schedule that must not fire again until a person enables it: its endpoint is not what it was made for, or
 * its owner may not call it. A schedule that was changed at the same moment is left to its next slot; entries that
 * remain at the scheduler are left to the daily reconciliation.
 *
 * @param reason  its `disabled_reason`
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

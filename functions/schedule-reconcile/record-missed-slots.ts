import { missingSlots } from "../../shared/domain/schedules/missing-slots.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import {
  getSchedule,
  listSlotsOnRecord,
  openScheduleRun,
  slotAt,
  slotNotRun,
} from "../../shared/stores/schedules/index.ts";
import type { ReconcileDeps } from "./reconcile-deps.ts";

const HOUR_SECONDS = 3_600;
/** A slot whose message is younger than this may still be on its way; the scheduler gives up after an hour. */
const DELIVERY_SECONDS = 2 * HOUR_SECONDS;
/** A day and a bit, so that two comparisons leave no gap. */
const WINDOW_SECONDS = 25 * HOUR_SECONDS + DELIVERY_SECONDS;

const REASON =
  "this slot had no message: the schedule had no entry at the scheduler, or the message was lost";

/**
 * Records slots of the last day that no message came for, so that missed ones can be seen.
 *
 * @param ids  of schedules that are enabled
 * @returns    how many slots
 */
export async function recordMissedSlots(
  { db, clock }: Pick<ReconcileDeps, "db" | "clock">,
  ids: Iterable<string>,
): Promise<number> {
  const now = epochSeconds(clock);
  let missed = 0;
  for (const id of ids) {
    const schedule = await getSchedule(db, id);
    if (!schedule?.enabled) continue;
    const [from, until] = [now - WINDOW_SECONDS, now - DELIVERY_SECONDS];
    const onRecord = await listSlotsOnRecord(db, id, from, until);
    for (const at of missingSlots(schedule, onRecord, from, until)) {
      const recorded = await openScheduleRun(db, slotNotRun(schedule, slotAt(id, at), "missed", REASON, now));
      if (recorded.opened) missed += 1;
    }
  }
  return missed;
}

import { type Item, type Parts, transact, updateItem } from "../../data/index.ts";
import type { Db } from "../db.ts";
import { changeListed } from "../listing/change-listed.ts";
import { publishChanges } from "../outbox/change-event.ts";
import { type StoredSchedule, scheduleKey, scheduleListing } from "./schedule-item.ts";
import { auditedSchedule, claimName, releaseName, scheduleChange, targetWrites } from "./schedule-writes.ts";

/** Changed; or not, because the owner has another schedule of that name, or it is no longer as it was read. */
export type Changed =
  | { readonly changed: true; readonly schedule: StoredSchedule }
  | { readonly changed: false; readonly because: "name" | "version" };

/**
 * Writes what differs between two states of a schedule, with its name and its targets, all or nothing.
 *
 * @param before  as it was read
 * @param now     epoch seconds
 */
export async function changeSchedule(
  db: Db,
  before: StoredSchedule,
  after: StoredSchedule,
  now: number,
): Promise<Changed> {
  const schedule = { ...after, version: before.version + 1 };
  const publication = await publishChanges(db, [scheduleChange("schedule.updated", schedule, now)]);
  const parts = { ...changeParts(db, before, schedule), publication: publication.entries };
  const result =
    before.enabled === after.enabled
      ? await transact(db, parts)
      : await changeListed(db, scheduleListing, [{ before, parts, after: schedule }], now);
  if (result.written) {
    await publication.wake();
    return { changed: true, schedule };
  }
  return { changed: false, because: result.refused === "schedule" ? "version" : "name" };
}

/** The parts of a change. `schedule` is refused when it is no longer as it was read, `name` when the new one is taken. */
export const changeParts = (
  db: Db,
  before: StoredSchedule,
  after: StoredSchedule,
): Parts<"schedule" | "name" | "targets" | "audit"> => ({
  schedule: updateItem("schedules", scheduleKey(before.id), {
    set: differing(before, after),
    guard: { version: before.version },
  }),
  name: before.name === after.name ? undefined : [claimName(after), releaseName(before)],
  targets: targetWrites(before.id, before, after),
  audit: auditedSchedule(db, before, after),
});

/** Only what differs is written, so that other attributes of the item stay. */
function differing(before: StoredSchedule, after: StoredSchedule): Item {
  const old = new Map<string, unknown>(Object.entries(before));
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => old.get(name) !== value));
}

import type { Db } from "../db.ts";
import { transact, type Write } from "../transact.ts";
import { type StoredSchedule, scheduleItem } from "./schedule-item.ts";
import { aimEntries, takeName } from "./schedule-writes.ts";

/** Created, or refused: the owner has a schedule of that name, or one of the caller's own entries refused. */
export type Created =
  | { readonly created: true }
  | { readonly created: false; readonly because: "name" | "entry" };

/**
 * Writes a schedule with its name and what it is aimed at, all or nothing.
 *
 * @param entries  further writes of the same transaction
 */
export async function createSchedule(
  db: Db,
  schedule: StoredSchedule,
  entries: readonly Write[] = [],
): Promise<Created> {
  const result = await transact(db, () => [
    takeName(db, schedule),
    {
      Put: {
        TableName: db.tables.schedules,
        Item: scheduleItem(schedule),
        ConditionExpression: "attribute_not_exists(pk)",
      },
    },
    ...aimEntries(db, schedule.id, undefined, schedule),
    ...entries,
  ]);
  if (result.written) return { created: true };
  return { created: false, because: result.entry === 0 ? "name" : "entry" };
}

import { exists, type Guard, type Item, isNoText, isText, updateItem, write } from "../../../data/index.ts";
import { SESSION_DELETED } from "../../../domain/sessions/session-deleted.ts";
import type { ScheduleRunRef } from "../../../schemas/schedules/schedule-run.ts";
import type { Db } from "../../db.ts";
import { scheduleRunKey } from "./run-keys.ts";

/**
 * Removes what was said from an attempt whose run is removed: input, output, error, and what a paused run asked. Status,
 * ids and times stay. The revision rises, so that a process that has read the run before writes none of it afterwards.
 * Idempotent.
 */
export async function purgeScheduleRun(db: Db, ref: ScheduleRunRef): Promise<void> {
  const said = { input: null, output: null, requirements: null, output_cut: undefined };
  const purge = (set: Item, guard: Guard) =>
    write(db, updateItem("schedules", scheduleRunKey(ref), { set, add: { revision: 1 }, guard }));
  const { written } = await purge({ ...said, error: SESSION_DELETED }, { error: isText });
  if (!written) await purge(said, [exists, { error: isNoText }]);
}

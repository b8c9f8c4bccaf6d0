import type { Principal } from "../../shared/auth/principal.ts";
import { notFound } from "../../shared/errors.ts";
import type { Db } from "../../shared/stores/db.ts";
import { getScheduleRun, type StoredScheduleRun } from "../../shared/stores/schedules/index.ts";
import { visibleSchedule } from "./visible-schedule.ts";

type ScheduleRunParams = { readonly schedule_id: string; readonly run_id: string };

/**
 * An attempt of a schedule that the caller may see; ids of other schedules' attempts are not found.
 *
 * @param now  epoch seconds
 * @throws ServiceError NOT_FOUND
 */
export async function visibleScheduleRun(
  db: Db,
  principal: Principal,
  { schedule_id, run_id }: ScheduleRunParams,
  now: number,
): Promise<StoredScheduleRun> {
  const { id } = await visibleSchedule(db, principal, schedule_id);
  const run = await getScheduleRun(db, { schedule_id: id, schedule_run_id: run_id }, now);
  if (!run) throw notFound("schedule run", run_id);
  return run;
}

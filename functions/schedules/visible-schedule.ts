import { callerOf } from "../../shared/auth/caller.ts";
import type { Principal } from "../../shared/auth/principal.ts";
import { ServiceError } from "../../shared/errors.ts";
import type { Db } from "../../shared/stores/db.ts";
import { getSchedule, type StoredSchedule } from "../../shared/stores/schedules/index.ts";

/**
 * A schedule that the caller may see: its own, or any for an admin.
 *
 * @throws ServiceError NOT_FOUND, with one text for every cause
 */
export async function visibleSchedule(db: Db, principal: Principal, id: string): Promise<StoredSchedule> {
  const caller = callerOf(principal);
  const schedule = await getSchedule(db, id);
  if (!schedule || !(caller.seesAll || schedule.user_id === caller.user_id)) throw noSchedule();
  return schedule;
}

export const noSchedule = (): ServiceError => new ServiceError("NOT_FOUND", "Schedule not found");

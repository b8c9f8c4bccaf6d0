import type { Principal } from "../../shared/auth/principal.ts";
import { ServiceError } from "../../shared/errors.ts";
import type { Db } from "../../shared/stores/db.ts";
import { retryUntilWritten } from "../../shared/stores/retry-until-written.ts";
import type { StoredSchedule } from "../../shared/stores/schedules/index.ts";
import { visibleSchedule } from "./visible-schedule.ts";

/**
 * Changes a schedule that the caller may see; when others changed it first, the change is made again on its new state.
 *
 * @param change  returns undefined when the schedule was no longer as it was read
 * @throws ServiceError NOT_FOUND, or CONFLICT when others change it first again and again
 */
export async function changeVisible<T>(
  db: Db,
  principal: Principal,
  id: string,
  change: (before: StoredSchedule) => Promise<T | undefined>,
): Promise<T> {
  return retryUntilWritten(
    async () => change(await visibleSchedule(db, principal, id)),
    () => new ServiceError("CONFLICT", "the schedule is being changed by others; read it and try again"),
  );
}

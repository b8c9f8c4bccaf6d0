import { type Caller, callerOf } from "../../shared/auth/caller.ts";
import type { Principal } from "../../shared/auth/principal.ts";
import { LEARNING_TABLE, requireDatabase } from "../../shared/domain/databases/database.ts";
import { ServiceError } from "../../shared/errors.ts";

type Place = { readonly db_id?: string | undefined; readonly table?: string | undefined };

/** @throws ServiceError NOT_FOUND or BAD_REQUEST for another database */
export function learningCaller(principal: Principal, place: Place): Caller {
  requireDatabase(place, LEARNING_TABLE);
  return callerOf(principal);
}

/**
 * Refuses a caller who names another user.
 *
 * @throws ServiceError UNAUTHORIZED
 * @source docs/interface/learnings.md 2.5
 */
export function refuseForeign(caller: Caller, user_id: string | null | undefined): void {
  if (caller.seesAll || !user_id || user_id === caller.user_id) return;
  throw new ServiceError("UNAUTHORIZED", "these learnings belong to another user; leave user_id out");
}

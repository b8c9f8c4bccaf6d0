import { callerOf } from "../../shared/auth/caller.ts";
import type { Principal } from "../../shared/auth/principal.ts";
import { MEMORY_TABLE, requireDatabase } from "../../shared/domain/databases/database.ts";
import { ServiceError } from "../../shared/errors.ts";

type Place = { readonly db_id?: string | undefined; readonly table?: string | undefined };

/**
 * Whose memories a request is about: the caller's own whatever it names, or for an admin those of the user it names.
 *
 * @returns undefined for everybody's
 * @throws  ServiceError NOT_FOUND or BAD_REQUEST for another database
 */
export function memoryOwner(
  principal: Principal,
  user_id: string | null | undefined,
  place: Place,
): string | undefined {
  requireDatabase(place, MEMORY_TABLE);
  const caller = callerOf(principal);
  return caller.seesAll ? user_id || undefined : caller.user_id;
}

/** The same where a user must be named. @throws ServiceError BAD_REQUEST when none is */
export function namedMemoryOwner(
  principal: Principal,
  user_id: string | null | undefined,
  place: Place,
): string {
  const owner = memoryOwner(principal, user_id, place);
  if (owner !== undefined) return owner;
  throw new ServiceError("BAD_REQUEST", "user_id is missing: say whose memory it is");
}

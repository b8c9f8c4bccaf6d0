import { callerOf } from "../../shared/auth/caller.ts";
import type { Principal } from "../../shared/auth/principal.ts";
import { DB_ID } from "../../shared/domain/databases/database.ts";
import { notFound } from "../../shared/errors.ts";

/**
 * Whose traces a request is about: the caller's own, or for an admin everybody's.
 *
 * @throws ServiceError NOT_FOUND for another database
 * @source docs/interface/traces.md 1.8
 */
export function traceOwner(
  principal: Principal,
  { db_id }: { readonly db_id?: string | undefined },
): string | undefined {
  if (db_id !== undefined && db_id !== DB_ID) throw notFound("database", db_id);
  const caller = callerOf(principal);
  return caller.seesAll ? undefined : caller.user_id;
}

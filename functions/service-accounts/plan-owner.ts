import type { Caller } from "../../shared/auth/caller.ts";
import { ServiceError } from "../../shared/errors.ts";
import type { NamedAccount } from "../../shared/stores/service-accounts/account-item.ts";

/**
 * Decides who owns an account with a name. A name stands for a user id, and so for sessions, memories and schedules: it
 * belongs to who first had it, also after it was revoked. An admin may mint it again for that owner.
 *
 * @param held  the account that has the name, or had it last
 * @returns     null for an account that is unowned
 * @throws ServiceError CONFLICT for a name that is in use, or another owner's
 * @source docs/interface/service-accounts.md 2.2; names that mean something are reserved
 */
export function planOwner(name: string, held: NamedAccount | undefined, caller: Caller): string | null {
  if (!held) return caller.user_id;
  if (!caller.seesAll && held.owner !== caller.user_id) {
    throw new ServiceError("CONFLICT", `the name ${name} belongs to another owner; choose another name`);
  }
  if (held.revoked_at === undefined) throw nameInUse(name);
  return held.owner;
}

export const nameInUse = (name: string): ServiceError =>
  new ServiceError("CONFLICT", `a service account named ${name} exists; revoke it first`);

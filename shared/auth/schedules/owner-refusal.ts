import type { TokenRecord } from "../access-store.ts";
import { principalOfAccount } from "../identify/principal-of-account.ts";
import { missingForSchedule } from "./may-schedule.ts";

/** Why the owner of a schedule may not make its call. */
export type OwnerRefusal = {
  /** The schedule's `disabled_reason`: a cause, the owner, and the scope that is missing if that is the cause. */
  readonly reason: string;
  /** For people. */
  readonly error: string;
};

/**
 * Decides whether a service account that owns a schedule may still make its call. Nothing of the kind is known of the
 * subject of a JWT: only its issuer knows whether it may still come.
 *
 * @param owner    the account's user id
 * @param account  the one that has the owner's name now; undefined where none ever had it
 * @param target   the component that the call runs; undefined for any other call
 * @param now      epoch seconds
 * @returns        undefined when the call may be made
 * @source docs/interface/access.md 3.3
 */
export function ownerRefusal(
  owner: string,
  account: Omit<TokenRecord, "account_id"> | undefined,
  target: Parameters<typeof missingForSchedule>[1],
  { adminScope, now }: { readonly adminScope: string; readonly now: number },
): OwnerRefusal | undefined {
  if (!account) return refusal("owner_unknown", owner, "there is no such service account");
  if (account.revoked_at !== undefined) return revokedOwner(owner);
  if (account.valid_until !== undefined && account.valid_until <= now) {
    return refusal("owner_expired", owner, "its token has expired");
  }
  const missing = missingForSchedule(principalOfAccount(account, adminScope), target);
  return missing === undefined
    ? undefined
    : refusal("owner_scope", `${owner}:${missing}`, `it does not hold ${missing}`);
}

export const revokedOwner = (owner: string): OwnerRefusal =>
  refusal("owner_revoked", owner, "it was revoked");

const refusal = (cause: string, about: string, why: string): OwnerRefusal => ({
  reason: `${cause}:${about}`,
  error: `the schedule's owner may not make this call any more: ${why}`,
});

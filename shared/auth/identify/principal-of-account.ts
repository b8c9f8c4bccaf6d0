import { subjectOfAccount } from "../../schemas/access/account-user-id.ts";
import type { TokenRecord } from "../access-store.ts";
import type { Principal } from "../principal.ts";
import { isAdmin } from "../scopes/admin-scope.ts";

/** @param now  epoch seconds */
export const isValidAccount = (
  { revoked_at, valid_until }: Pick<TokenRecord, "revoked_at" | "valid_until">,
  now: number,
): boolean => revoked_at === undefined && (valid_until === undefined || valid_until > now);

/** @source docs/interface/access.md 3.2; docs/interface/oauth.md 1.3 */
export const principalOfAccount = (
  {
    name,
    scopes,
    user_id,
    account_id,
  }: Pick<TokenRecord, "name" | "scopes" | "user_id"> & {
    readonly account_id?: string;
  },
  adminScope: string,
): Principal =>
  user_id === undefined
    ? {
        kind: "service_account",
        user_id: subjectOfAccount(name),
        scopes,
        admin: isAdmin(scopes, adminScope),
      }
    : // An app acts as its user, and never as an admin.
      { kind: "user", user_id, scopes, admin: false, app: account_id };

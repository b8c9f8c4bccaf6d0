import type { TokenRecord } from "./access-store.ts";
import { isAdmin } from "./admin-scope.ts";
import type { Principal } from "./principal.ts";

/** Prefix of the user id of every service account; no issuer's token may carry a subject with it. */
const PREFIX = "sa:";

/** The user id of an account. */
export const subjectOfAccount = (name: string): string => `${PREFIX}${name}`;

/** The name of the account that a user id means; undefined for any other user. */
export const accountNameOf = (userId: string): string | undefined =>
  userId.startsWith(PREFIX) ? userId.slice(PREFIX.length) : undefined;

/** @param now  epoch seconds */
export const isValidAccount = (
  { revoked_at, valid_until }: Pick<TokenRecord, "revoked_at" | "valid_until">,
  now: number,
): boolean => revoked_at === undefined && (valid_until === undefined || valid_until > now);

/** @source contract, auth section 4, "Principal" and "Scopes" */
export const principalOfAccount = (
  { name, scopes }: Pick<TokenRecord, "name" | "scopes">,
  adminScope: string,
): Principal => ({
  kind: "service_account",
  user_id: subjectOfAccount(name),
  scopes,
  admin: isAdmin(scopes, adminScope),
});

import { accountNameOf } from "../../schemas/access/account-user-id.ts";
import { isChatId } from "../../schemas/chat/chat-id.ts";
import { fitsKey } from "../../schemas/values/key-text.ts";
import type { ClaimNames } from "../../settings/values/issuers.ts";
import type { Principal } from "../principal.ts";
import { isAdmin } from "../scopes/admin-scope.ts";

/** Subjects of the platform's own principals and of chats' users; no issuer's token may carry one. */
const isReserved = (subject: string): boolean =>
  accountNameOf(subject) !== undefined ||
  isChatId(subject) ||
  subject.startsWith("__oauth__:") ||
  subject === "__scheduler__";

/** A user id is part of the keys of everything that belongs to the user. */
const isKeyPart = (subject: string): boolean => subject.isWellFormed() && fitsKey(subject);

type VerifiedClaims = {
  readonly tokenClaims: Readonly<Record<string, unknown>>;
  /** The issuer's names of its claims. */
  readonly claimNames: ClaimNames;
};

/**
 * The principal of a verified token. Its scopes are an array, or one single scope as text; of the claims `scope` and `scp` the
 * text is several, separated by blanks. Those are ignored unless an issuer is configured to carry scopes there.
 *
 * @returns undefined when the subject is reserved, is not text, or is longer than a key can hold
 * @source docs/interface/access.md 2.4, 2.5
 */
export function principalOfToken(
  { tokenClaims, claimNames }: VerifiedClaims,
  adminScope: string,
): Principal | undefined {
  // An empty subject names no user; as an id it would be shared by all callers without one.
  const subject = tokenClaims[claimNames.user_id] || null;
  const isText = subject === null || typeof subject === "string";
  if (!isText || (subject !== null && (isReserved(subject) || !isKeyPart(subject)))) return undefined;
  const scopes = scopesOf(tokenClaims[claimNames.scopes], claimNames);
  return { kind: "user", user_id: subject, scopes, admin: isAdmin(scopes, adminScope) };
}

function scopesOf(claim: unknown, { scopes: name, split_scopes, scope_prefix }: ClaimNames): string[] {
  const splits = split_scopes ?? isOAuthClaim(name);
  const listed = typeof claim === "string" ? (splits ? claim.split(/ +/) : [claim]) : claim;
  if (!Array.isArray(listed)) return [];
  const scopes = listed.filter((scope) => typeof scope === "string" && scope !== "");
  if (scope_prefix === undefined) return scopes;
  return scopes.flatMap((scope) => (scope.startsWith(scope_prefix) ? scope.slice(scope_prefix.length) : []));
}

/** Claims that hold scopes as one text. @source RFC 9068 section 2.2.3, RFC 8693 section 4.2; Entra's and Okta's `scp` */
const isOAuthClaim = (name: string): boolean => name === "scope" || name === "scp";

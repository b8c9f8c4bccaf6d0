import type { Principal } from "./principal.ts";

/** Subjects that name principals of our own; a token from outside may not claim one. */
const isReserved = (subject: string): boolean =>
  subject.startsWith("sa:") || subject.startsWith("__oauth__:") || subject === "__scheduler__";

/**
 * Who a verified token speaks for.
 *
 * @param tokenClaims  `scopes` is an array, or one single scope as text; the OAuth claim `scope` is ignored
 * @returns undefined when the subject is reserved
 * @source contract, auth section 3, "Claim effect" and "Reserved subjects"
 */
export function principalOfToken(
  tokenClaims: { readonly sub?: string; readonly scopes?: unknown },
  adminScope: string,
): Principal | undefined {
  // An empty subject names nobody; taken as an id it would be shared by everybody who has none.
  const user_id = tokenClaims.sub || null;
  if (user_id !== null && isReserved(user_id)) return undefined;
  const scopes = scopesOf(tokenClaims.scopes);
  return { kind: "user", user_id, scopes, admin: scopes.includes(adminScope) };
}

function scopesOf(claim: unknown): string[] {
  if (typeof claim === "string") return [claim];
  if (!Array.isArray(claim)) return [];
  return claim.filter((scope) => typeof scope === "string");
}

import { parseScope } from "./parse-scope.ts";
import type { Principal } from "./principal.ts";

/**
 * Whether a principal may hand a scope on. Nobody but an admin hands on what it does not hold: the whole of a
 * resource covers each of its ids, one id covers itself alone.
 *
 * @source contract, approvals-and-service-accounts B3, check 5
 */
export function mayGrant({ admin, scopes }: Pick<Principal, "admin" | "scopes">, asked: string): boolean {
  if (admin) return true;
  const wanted = parseScope(asked);
  if (!wanted) return false;
  return scopes.some((text) => {
    const held = parseScope(text);
    if (held?.resource !== wanted.resource || held.action !== wanted.action) return false;
    return held.id === null || held.id === wanted.id;
  });
}

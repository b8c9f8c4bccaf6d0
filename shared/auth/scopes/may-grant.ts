import type { Principal } from "../principal.ts";
import { isAdminScope } from "./admin-scope.ts";
import { parseScope } from "./parse-scope.ts";

/**
 * Whether a principal may grant a scope. Only an admin grants scopes that it does not hold, and the admin scope: a scope
 * on a whole resource covers each of its ids, a scope on one id covers that id alone, and none covers the admin scope.
 */
export function mayGrant(
  { admin, scopes }: Pick<Principal, "admin" | "scopes">,
  scope: string,
  adminScope: string,
): boolean {
  if (admin) return true;
  const wanted = parseScope(scope);
  if (!wanted || isAdminScope(scope, adminScope)) return false;
  return scopes.some((text) => {
    const held = parseScope(text);
    if (held?.resource !== wanted.resource || held.action !== wanted.action) return false;
    return held.id === null || held.id === wanted.id;
  });
}

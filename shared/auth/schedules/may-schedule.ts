import type { Principal } from "../principal.ts";
import { missingRunScope } from "../require-run.ts";
import { ADMIN_ONLY } from "../scopes/admin-scope.ts";

type Component = Parameters<typeof missingRunScope>[1];

/**
 * The scope that a principal lacks for a schedule's call: to run a component takes the scope to run it, and any other
 * call takes an admin. Asked when a schedule is made or changed, and again at each firing.
 *
 * @param target  the component that the call runs; undefined for any other call
 * @returns       undefined when the call may be made
 */
export function missingForSchedule(
  principal: Pick<Principal, "scopes" | "admin">,
  target: Component | undefined,
): string | undefined {
  if (!target) return principal.admin ? undefined : ADMIN_ONLY;
  return missingRunScope(principal, target);
}

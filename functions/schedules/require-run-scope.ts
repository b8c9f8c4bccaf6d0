import type { Principal } from "../../shared/auth/principal.ts";
import { requireRun } from "../../shared/auth/require-run.ts";
import { runTarget } from "../../shared/domain/schedules/run-target.ts";
import { ServiceError } from "../../shared/errors.ts";

/**
 * Refuses a schedule whose call the caller may not make: to run a component takes the scope to run it, and any other
 * call takes an admin.
 *
 * @throws ServiceError FORBIDDEN
 * @source contract, schedules section 6
 */
export function requireRunScope(
  principal: Principal,
  { method, endpoint }: { readonly method: string; readonly endpoint: string },
): void {
  if (principal.kind === "internal") throw new ServiceError("FORBIDDEN", "a schedule may not keep schedules");
  const target = runTarget(method, endpoint);
  if (target) requireRun(principal, [target]);
  if (target || principal.admin) return;
  throw new ServiceError(
    "FORBIDDEN",
    "Insufficient permissions. Only an admin may schedule a call that starts no run",
  );
}

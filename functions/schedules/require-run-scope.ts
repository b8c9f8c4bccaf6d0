import type { Principal } from "../../shared/auth/principal.ts";
import { missingForSchedule } from "../../shared/auth/schedules/may-schedule.ts";
import { ADMIN_ONLY } from "../../shared/auth/scopes/admin-scope.ts";
import { runTarget } from "../../shared/domain/schedules/run-target.ts";
import { ServiceError } from "../../shared/errors.ts";

/**
 * Refuses a schedule whose call the caller may not make: to run a component takes the scope to run it, and any other
 * call takes an admin.
 *
 * @throws ServiceError UNAUTHORIZED
 */
export function requireRunScope(
  principal: Principal,
  { method, endpoint }: { readonly method: string; readonly endpoint: string },
): void {
  if (principal.kind === "internal")
    throw new ServiceError("UNAUTHORIZED", "a schedule may not keep schedules");
  const missing = missingForSchedule(principal, runTarget(method, endpoint));
  if (missing === undefined) return;
  const why =
    missing === ADMIN_ONLY
      ? "Only an admin may schedule a call that starts no run"
      : `Required scope(s): ${missing}`;
  throw new ServiceError("UNAUTHORIZED", `Insufficient permissions. ${why}`);
}

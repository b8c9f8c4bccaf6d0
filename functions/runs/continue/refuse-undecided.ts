import type { Principal } from "../../../shared/auth/principal.ts";
import { mayCall } from "../../../shared/auth/scopes.ts";
import { ServiceError } from "../../../shared/errors.ts";
import { approvalRoutes } from "../../../shared/routes/approvals.ts";
import type { StoredApproval } from "../../../shared/stores/approvals/approval-item.ts";

/**
 * Refuses to continue past a pending approval, except for callers who may resolve it.
 *
 * @throws ServiceError FORBIDDEN
 * @source contract, runs-and-queue section 7; approvals A4
 */
export function refuseUndecided(principal: Principal, approvals: readonly StoredApproval[]): void {
  const pending = approvals.find(
    ({ status, approval_type }) => status === "pending" && approval_type === "required",
  );
  if (!pending) return;
  const { method, path, scopes } = approvalRoutes.resolveApproval;
  if (mayCall(principal, scopes, { method, path, params: {} })) return;
  throw new ServiceError(
    "FORBIDDEN",
    `approval ${pending.id} of this run is pending; it must be resolved by somebody with ${scopes.join(", ")}`,
  );
}

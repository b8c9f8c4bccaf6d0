import { type Approvers, holdsApproving, isOwnRequest, whoApproves } from "../../auth/may-approve.ts";
import type { Principal } from "../../auth/principal.ts";
import { ServiceError } from "../../errors.ts";
import type { StoredApproval } from "../../stores/approvals/approval-item.ts";

type Rule = { readonly APPROVERS: Approvers; readonly ADMIN_SCOPE: string };

/**
 * Refuses to continue past a pending approval, except for holders of the scope to resolve approvals. Where nobody
 * resolves its own request, the scope does not help with that.
 *
 * @throws ServiceError UNAUTHORIZED
 * @source contract, runs-and-queue section 7; approvals A4
 */
export function refuseUndecided(
  principal: Principal,
  approvals: readonly StoredApproval[],
  { APPROVERS, ADMIN_SCOPE }: Rule,
): void {
  const passes = ({ user_id }: StoredApproval) =>
    holdsApproving(principal) && !isOwnRequest(principal, user_id, APPROVERS);
  const pending = approvals.find(
    (approval) => approval.status === "pending" && approval.approval_type === "required" && !passes(approval),
  );
  if (!pending) return;
  const who = whoApproves(APPROVERS, ADMIN_SCOPE);
  throw new ServiceError(
    "UNAUTHORIZED",
    `approval ${pending.id} of this run is pending; it must be resolved by ${who}`,
  );
}

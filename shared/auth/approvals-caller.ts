import { type Caller, callerOf } from "./caller.ts";
import { type Approvers, isApprover } from "./may-approve.ts";
import type { Principal } from "./principal.ts";

/**
 * Whose approvals a caller sees: an approver everybody's, others their own.
 *
 * @throws ServiceError UNAUTHORIZED for a credential without a subject that is no approver's
 */
export const approvalsCaller = (principal: Principal, approvers: Approvers): Caller =>
  isApprover(principal, approvers) ? { seesAll: true, user_id: principal.user_id } : callerOf(principal);

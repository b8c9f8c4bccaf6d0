// Generated from the route table by `npm run routes`; do not edit.
export { countApprovals } from "./count-approvals.ts";
export { getApproval } from "./get-approval.ts";
export { getApprovalStatus } from "./get-approval-status.ts";
export { listApprovals } from "./list-approvals.ts";
export { removeApproval } from "./remove-approval.ts";

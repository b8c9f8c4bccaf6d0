import { mayApprove, whoApproves } from "../../shared/auth/may-approve.ts";
import { notFound, ServiceError } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { approvalRoutes } from "../../shared/routes/approvals.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { type StoredApproval, wireApproval } from "../../shared/stores/approvals/approval-item.ts";
import { getApproval } from "../../shared/stores/approvals/get-approval.ts";
import { recordResolution } from "../../shared/stores/approvals/record-resolution.ts";
import { approvalsCaller } from "./approvals-caller.ts";
import type { ApprovalsDeps } from "./approvals-deps.ts";

/**
 * Resolves an approval, once. The run does not continue by that: another request continues it.
 *
 *   pending ─▶ approved, rejected      of two concurrent requests one succeeds; the other gets 409
 *
 * @throws ServiceError NOT_FOUND for everybody but an approver; UNAUTHORIZED for an approver's own request where that
 *         needs somebody else; CONFLICT when it is resolved
 * @source contract, approvals A2, A3
 */
export const resolveApproval: Handler<typeof approvalRoutes.resolveApproval, ApprovalsDeps> = async (
  { params, body, principal },
  { db, clock, approvers, adminScope },
) => {
  const id = params.approval_id;
  const { seesAll } = approvalsCaller(principal, approvers);
  const approval = seesAll ? await getApproval(db, id) : undefined;
  if (!approval) throw notFound("approval", id);
  if (!mayApprove(principal, approval.user_id, approvers)) {
    const who = whoApproves(approvers, adminScope);
    throw new ServiceError(
      "UNAUTHORIZED",
      `approval ${id} is your own request; it must be resolved by ${who}`,
    );
  }
  const now = epochSeconds(clock);
  refuseResolved(approval, now);
  refuseLarge(body.resolution_data);
  const result = await recordResolution(db, id, {
    status: body.status,
    resolved_by: principal.user_id ?? body.resolved_by ?? null,
    resolved_at: now,
    updated_at: now,
    ...(body.resolution_data && { resolution_data: body.resolution_data }),
  });
  if (result.recorded) return wireApproval(result.approval);
  if (!result.seen) throw notFound("approval", id);
  throw new ServiceError("CONFLICT", `approval ${id} is ${result.seen.status} already`);
};

/** The record is one item; a result that is larger is given when the run is continued. */
const MAX_RESOLUTION_BYTES = 100_000;

function refuseLarge(resolutionData: unknown): void {
  if (Buffer.byteLength(JSON.stringify(resolutionData ?? null)) <= MAX_RESOLUTION_BYTES) return;
  throw new ServiceError(
    "PAYLOAD_TOO_LARGE",
    `resolution_data may hold ${MAX_RESOLUTION_BYTES} bytes; send a larger result with the continuation`,
  );
}

function refuseResolved({ id, status, expires_at }: StoredApproval, now: number): void {
  if (status !== "pending") throw new ServiceError("CONFLICT", `approval ${id} is ${status} already`);
  if (expires_at === null || expires_at > now) return;
  throw new ServiceError("CONFLICT", `approval ${id} is expired: it had to be given before`);
}

import { approvalsCaller } from "../../shared/auth/approvals-caller.ts";
import { mayApprove, whoApproves } from "../../shared/auth/may-approve.ts";
import type { Principal } from "../../shared/auth/principal.ts";
import { notFound, ServiceError } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { resolveRoutes } from "../../shared/routes/approvals.ts";
import {
  type Decision,
  ownRequests,
  type RunsDeps,
  resolveAndContinue,
  resolveOnly,
} from "../../shared/runs/index.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { noteInLogScope } from "../../shared/runtime/log-scope.ts";
import { getApproval, type StoredApproval } from "../../shared/stores/approvals/approval-item.ts";

/**
 * Resolves an approval, once. By `continue` the run goes on too; otherwise another request continues it.
 *
 *   pending ─▶ approved, rejected      of two concurrent requests one succeeds; the other gets 409
 *
 * @throws ServiceError NOT_FOUND for everybody but an approver; UNAUTHORIZED for an approver's own request where that
 *         needs another approver; CONFLICT when it is resolved, and as `resolveAndContinue`
 * @source docs/interface/approvals.md 2.2
 */
export const resolveApproval: Handler<typeof resolveRoutes.resolveApproval, RunsDeps> = async (
  { params, body, principal },
  deps,
) => {
  const approval = await requireOwnDecision(deps, principal, params.approval_id);
  noteInLogScope({ run_id: approval.run_id });
  refuseLarge(body.resolution_data);
  const now = epochSeconds(deps.clock);
  const decision: Decision = {
    status: body.status,
    resolved_by: principal.user_id ?? body.resolved_by ?? null,
    resolved_at: now,
    updated_at: now,
    ...(body.resolution_data && { resolution_data: body.resolution_data }),
  };
  return body.continue ? resolveAndContinue(deps, approval, decision) : resolveOnly(deps, approval, decision);
};

/** The approval, where the caller may decide on it. */
async function requireOwnDecision(
  { db, settings }: RunsDeps,
  principal: Principal,
  id: string,
): Promise<StoredApproval> {
  const { APPROVERS: approvers, ADMIN_SCOPE } = settings;
  const { seesAll } = approvalsCaller(principal, approvers);
  const approval = seesAll ? await getApproval(db, id) : undefined;
  if (!approval) throw notFound("approval", id);
  const isOwn = await ownRequests(db, principal, [approval.user_id], approvers);
  if (mayApprove(principal, approval.user_id, approvers, isOwn)) return approval;
  const who = whoApproves(approvers, ADMIN_SCOPE);
  throw new ServiceError("UNAUTHORIZED", `approval ${id} is your own request; it must be resolved by ${who}`);
}

/** The record is one item; a result that is larger is given when the run is continued. */
const MAX_RESOLUTION_BYTES = 100_000;

function refuseLarge(resolutionData: unknown): void {
  if (Buffer.byteLength(JSON.stringify(resolutionData ?? null)) <= MAX_RESOLUTION_BYTES) return;
  throw new ServiceError(
    "PAYLOAD_TOO_LARGE",
    `resolution_data may hold ${MAX_RESOLUTION_BYTES} bytes; send a larger result with the continuation`,
  );
}

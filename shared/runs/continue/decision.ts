import { canonicalJson } from "../../domain/canonical-json.ts";
import { ServiceError } from "../../errors.ts";
import type { StoredApproval } from "../../stores/approvals/approval-item.ts";
import type { ApprovalResolution } from "../../stores/approvals/record-resolution.ts";

/** What an approver says. */
export type Decision = ApprovalResolution & {
  readonly status: "approved" | "rejected";
  /** Epoch seconds. */
  readonly resolved_at: number;
};

/** An approval as it is once it is decided, and the resolution to write where it is not decided yet. */
export type DecidedApproval = { readonly approval: StoredApproval; readonly resolution?: Decision };

/**
 * An approval with a decision. The same decision again, by whomever, changes nothing: the first one stands.
 *
 * @throws ServiceError CONFLICT where it is decided otherwise, with other data, or is expired
 */
export function decide(approval: StoredApproval, decision: Decision): DecidedApproval {
  if (approval.status === "pending") {
    refusePending(approval, decision.resolved_at);
    return { approval: { ...approval, ...decision }, resolution: decision };
  }
  const { status, resolution_data } = decision;
  const says = resolution_data === undefined || isSame(resolution_data, approval.resolution_data);
  if (approval.status !== status || !says) throw resolvedAlready(approval);
  return { approval };
}

const isSame = (one: unknown, other: unknown): boolean => canonicalJson(one) === canonicalJson(other);

/** @throws ServiceError CONFLICT for a pending approval whose time is over. @param now epoch seconds */
export function refusePending({ id, expires_at }: StoredApproval, now: number): void {
  if (expires_at === null || expires_at > now) return;
  throw new ServiceError("CONFLICT", `approval ${id} is expired: it had to be given before`);
}

export const resolvedAlready = ({ id, status }: StoredApproval): ServiceError =>
  new ServiceError("CONFLICT", `approval ${id} is ${status} already`);

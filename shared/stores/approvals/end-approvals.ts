import {
  exists,
  given,
  isNew,
  putItem,
  transact,
  type Update,
  updateItem,
  type Write,
} from "../../data/index.ts";
import { canonicalDigest } from "../../domain/audit/canonical-digest.ts";
import type { Approval, ApprovalStatus } from "../../schemas/runs/approval.ts";
import type { RunOutput } from "../../schemas/runs/run.ts";
import type { StoredOutput } from "../../schemas/runs/stored-output.ts";
import { auditedChange } from "../audit/audit-item.ts";
import type { Db } from "../db.ts";
import { type Change, publishChanges } from "../outbox/change-event.ts";
import {
  approvalChange,
  approvalFrom,
  approvalItem,
  approvalKey,
  editedJson,
  getApproval,
  getApprovals,
  type StoredApproval,
  statusAttributes,
} from "./approval-item.ts";

/** The write that creates an approval, together with the pause that needs it. */
export const putApproval = (approval: StoredApproval): Write =>
  putItem("approvals", approvalItem(approval), isNew);

/** How a run ended, as far as its approvals are concerned. */
export type EndedRun = {
  readonly status: RunOutput["status"];
  readonly approval_ids: readonly string[];
  /** Epoch seconds, if the end is known to the second. */
  readonly now: number | undefined;
};

/**
 * The writes that update a run's approvals with its end: all of them get its status, and those still pending are
 * cancelled, or expired when overdue. Costs nothing for a run without approvals.
 *
 * @source docs/interface/approvals.md 2.4
 */
export async function endApprovals(db: Db, { status, approval_ids, now }: EndedRun): Promise<EndedApprovals> {
  const approvals = await getApprovals(db, approval_ids);
  const open = approvals.filter((approval) => approval.status === "pending");
  return {
    writes: approvals.map((approval) => endOf(approval, status, now)),
    changes: open.map((approval) =>
      approvalChange({ ...approval, status: endedAs(approval, now) }, now ?? approval.created_at),
    ),
  };
}

/** The writes, and what is published of the approvals that are resolved by them. */
export type EndedApprovals = { readonly writes: Write[]; readonly changes: readonly Change[] };

/** How an approval ends that was still pending. */
const endedAs = ({ expires_at }: StoredApproval, now: number | undefined): "expired" | "cancelled" =>
  expires_at !== null && now !== undefined && expires_at <= now ? "expired" : "cancelled";

function endOf(approval: StoredApproval, run_status: string, now?: number): Write {
  const { id, status } = approval;
  if (status !== "pending") return runStatusOf(id, run_status);
  return resolutionOf(id, {
    status: endedAs(approval, now),
    run_status,
    ...(now !== undefined && { updated_at: now }),
  });
}

type RunWithCalls = Pick<StoredOutput, "tools" | "member_responses" | "step_executor_runs">;

/** The approvals that a run's calls name, and those of the runs within it. */
export function approvalIds({
  tools = [],
  member_responses = [],
  step_executor_runs = [],
}: RunWithCalls): string[] {
  const own = tools.flatMap(({ approval_id }) => approval_id ?? []);
  const within = [...member_responses, ...step_executor_runs].flatMap((run) => approvalIds(run));
  return [...new Set([...own, ...within])];
}

/** How a pending approval is resolved. */
export type ApprovalResolution = { readonly status: Exclude<ApprovalStatus, "pending"> } & Partial<
  Pick<Approval, "resolved_by" | "resolved_at" | "resolution_data" | "run_status">
> & { readonly updated_at?: number } & Partial<Pick<StoredApproval, "edited_args" | "digests">>;

/** A lost race is a result: it carries the approval that was seen instead. */
export type ResolutionResult =
  | { readonly recorded: true; readonly approval: StoredApproval }
  | { readonly recorded: false; readonly seen: StoredApproval | undefined };

/** Resolves an approval once: of two concurrent calls one succeeds. Its audit record and its event are written with it. */
export async function recordResolution(
  db: Db,
  id: string,
  resolution: ApprovalResolution,
): Promise<ResolutionResult> {
  const before = await getApproval(db, id);
  if (before?.status !== "pending") return { recorded: false, seen: before };
  const now = resolution.updated_at ?? resolution.resolved_at ?? before.created_at;
  const publication = await publishChanges(db, [approvalChange({ ...before, ...resolution }, now)]);
  const result = await transact(db, {
    approval: resolutionOf(id, resolution),
    audit: auditedResolution(db, before, resolution),
    publication: publication.entries,
  });
  if (!result.written) return { recorded: false, seen: result.seen && approvalFrom(result.seen) };
  await publication.wake();
  const approval = await getApproval(db, id);
  if (!approval) return { recorded: false, seen: undefined };
  return { recorded: true, approval };
}

type Decided = Pick<StoredApproval, "id" | "status" | "run_id" | "session_id" | "user_id" | "tool_name">;

/** The audit record of a resolution: who decided what, on which arguments, for whose run. */
export const auditedResolution = (
  db: Db,
  { id, status, run_id, session_id, user_id, tool_name }: Decided,
  {
    status: decided,
    resolved_by,
    edited_args,
    resolution_data,
  }: Pick<ApprovalResolution, "status" | "resolved_by" | "edited_args" | "resolution_data">,
): Write =>
  auditedChange(db, {
    operation: "resolveApproval",
    on_behalf_of: user_id,
    target: { approval_id: id, run_id, session_id, ...(tool_name !== null && { tool_name }) },
    before: { status },
    after: {
      status: decided,
      resolved_by,
      // Arguments may be private; their digest shows later which ones were approved.
      edited_args: edited_args && canonicalDigest(edited_args),
      resolution_data: resolution_data && canonicalDigest(resolution_data),
    },
  });

/** That write, refused for an approval that is not pending. What the resolution leaves undefined stays. */
export function resolutionOf(id: string, resolution: ApprovalResolution): Update {
  return updateItem("approvals", approvalKey(id), {
    set: { ...given(resolution), ...editedJson(resolution), ...statusAttributes(resolution.status, id) },
    guard: { status: "pending" },
  });
}

/** The write that records in an approval how its run ended; a deleted approval refuses it. */
const runStatusOf = (id: string, run_status: string): Update =>
  updateItem("approvals", approvalKey(id), { set: { run_status }, guard: exists });

import { isNew } from "../../data/guard.ts";
import { putItem, type Write } from "../../data/writes.ts";
import type { RunOutput } from "../../schemas/runs/run.ts";
import type { StoredOutput } from "../../schemas/runs/stored-output.ts";
import type { Db } from "../db.ts";
import type { Change } from "../outbox/change-event.ts";
import { approvalChange } from "./approval-change.ts";
import { approvalItem, type StoredApproval } from "./approval-item.ts";
import { getApprovals } from "./get-approval.ts";
import { resolutionOf, runStatusOf } from "./record-resolution.ts";

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

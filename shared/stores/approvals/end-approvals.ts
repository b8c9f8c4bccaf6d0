import type { RunOutput } from "../../schemas/runs/run.ts";
import type { StoredOutput } from "../../schemas/runs/stored-output.ts";
import type { Db } from "../db.ts";
import type { Write } from "../transact.ts";
import { approvalItem, type StoredApproval } from "./approval-item.ts";
import { getApprovals } from "./get-approval.ts";
import { resolutionOf, runStatusOf } from "./record-resolution.ts";

/** The entry that creates an approval, together with the pause that needs it. */
export const putApproval = (db: Db, approval: StoredApproval): Write => ({
  Put: {
    TableName: db.tables.approvals,
    Item: approvalItem(approval),
    ConditionExpression: "attribute_not_exists(pk)",
  },
});

/** How a run ended, as far as its approvals are concerned. */
export type EndedRun = {
  readonly status: RunOutput["status"];
  readonly approval_ids: readonly string[];
  /** Epoch seconds, if the end is known to the second. */
  readonly now: number | undefined;
};

/**
 * The entries that update a run's approvals with its end: all of them get its status, and those still pending are
 * cancelled, or expired when overdue. Costs nothing for a run without approvals.
 *
 * @source contract, approvals A3, "run ends after the pause"; expiry is ours
 */
export async function endApprovals(db: Db, { status, approval_ids, now }: EndedRun): Promise<Write[]> {
  const approvals = await getApprovals(db, approval_ids);
  return approvals.map((approval) => ({ Update: endOf(db, approval, status, now) }));
}

function endOf(db: Db, { id, status, expires_at }: StoredApproval, run_status: string, now?: number) {
  if (status !== "pending") return runStatusOf(db, id, run_status);
  const isOverdue = expires_at !== null && now !== undefined && expires_at <= now;
  return resolutionOf(db, id, {
    status: isOverdue ? "expired" : "cancelled",
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

import { cancelRun } from "../../shared/engine/lifecycle/cancel-run.ts";
import { getApproval } from "../../shared/stores/approvals/approval-item.ts";
import { recordResolution } from "../../shared/stores/approvals/end-approvals.ts";
import { listOverdue } from "../../shared/stores/approvals/list-approvals.ts";
import { getRun } from "../../shared/stores/runs/get-run.ts";
import type { SweeperDeps } from "./sweeper-deps.ts";

const REASON = "The approval that this run waited for was not given in time.";

/**
 * Expires approvals that were not resolved in time and cancels their runs, each in one transaction. A decision that comes
 * first wins. Reads only where approvals can expire at all, so an idle service costs nothing.
 *
 * @param now  epoch seconds
 * @returns how many expired
 * @decided ours; the wire reserves `expires_at` and nothing there enforces it
 */
export async function expireApprovals(deps: SweeperDeps, now: number): Promise<number> {
  if (deps.settings.APPROVAL_EXPIRES_SECONDS === 0) return 0;
  const overdue = await listOverdue(deps.db, now);
  for (const id of overdue) await expire(deps, id, now);
  return overdue.length;
}

async function expire({ db, settings }: SweeperDeps, id: string, now: number): Promise<void> {
  const approval = await getApproval(db, id);
  if (approval?.status !== "pending") return;
  const run = await getRun(db, approval, now);
  if (run?.status === "PAUSED") await cancelRun(db, run, now, settings.JOB_RETENTION_SECONDS, REASON);
  // Where the run is removed, or ended without its approval, the approval is resolved alone.
  else await recordResolution(db, id, { status: "expired", updated_at: now });
}

import type { Runnable } from "../../engine/define/runnable.ts";
import type { Member } from "../../engine/define/team.ts";
import { applyApproval } from "../../engine/pause/apply-answers.ts";
import { type PlacedCall, placedCalls } from "../../engine/pause/approval-of.ts";
import { requireValidInput } from "../../engine/pause/edit-call.ts";
import { executorAt } from "../../engine/workflow/review/answer-requirement.ts";
import { ServiceError } from "../../errors.ts";
import { epochSeconds } from "../../runtime/clock.ts";
import type { StoredApproval } from "../../stores/approvals/approval-item.ts";
import { getRun } from "../../stores/runs/get-run.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import { pinOf } from "../component.ts";
import type { RunsDeps } from "../runs-deps.ts";

export { withEdits } from "../../engine/pause/decide-on-continue.ts";

/**
 * Validates what an approver has changed and filled in, before it is recorded: a mistake found later could
 * not be corrected any more, and the pause would be gone.
 *
 * @param approval  as it will be
 * @throws ServiceError BAD_REQUEST that names the call and the argument
 */
export async function checkResolution(
  { db, clock, findRunnable }: Pick<RunsDeps, "db" | "clock" | "findRunnable">,
  approval: StoredApproval,
): Promise<void> {
  const { id, owner, session_id, run_id, edited_args, resolution_data, digests } = approval;
  const unknown = Object.keys(edited_args ?? {}).find((key) => !Object.hasOwn(digests, key));
  if (unknown !== undefined)
    throw new ServiceError("BAD_REQUEST", `approval ${id} covers no call ${unknown}`);
  if (!edited_args && !resolution_data) return;
  const run = await getRun(db, { owner, session_id, run_id }, epochSeconds(clock));
  // Whether the run can go on is not decided here.
  if (run?.status !== "PAUSED") return;
  const { component_type: kind, component_id } = run;
  const runnable = await findRunnable(kind, component_id, pinOf(run));
  if (!runnable) return;
  for (const placed of placedCalls(run.output)) {
    const caller = callerOf(placed, run, runnable);
    if (placed.call.approval_id !== id || !caller) continue;
    const by = { editor: caller };
    requireValidInput(applyApproval(placed.call, new Map([[id, approval]]), by, placed.key), caller);
  }
}

/** The agent or team that made a call; undefined where it is no part of its component any more. */
function callerOf(placed: PlacedCall, { output }: StoredRun, runnable: Runnable): Member | undefined {
  if (runnable.kind !== "workflow") return memberAt(runnable, placed.members);
  const [, ...members] = placed.members;
  const step = output.step_executor_runs?.find((one) =>
    placedCalls(one, [one.run_id]).some(({ key }) => key === placed.key),
  );
  const executor = step?.workflow_step_id && executorAt(runnable, step.workflow_step_id);
  return executor ? memberAt(executor, members) : undefined;
}

const memberAt = (top: Member, path: readonly string[]): Member | undefined =>
  path.reduce<Member | undefined>(
    (team, id) => (team?.kind === "team" ? team.members.find((one) => one.id === id) : undefined),
    top,
  );

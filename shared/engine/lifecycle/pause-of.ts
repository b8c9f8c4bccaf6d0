import { approvalIds } from "../../stores/approvals/end-approvals.ts";
import { packCheckpoint } from "../../stores/runs/checkpoints/checkpoint.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import type { Ending } from "../../stores/transactions/commit-ending.ts";
import { approvalOfPause } from "../pause/approval-of.ts";
import type { RunOutcome } from "../run/run-outcome.ts";
import type { WorkflowState } from "../run/workflow-state.ts";
import { isAnswered } from "../workflow/review/requirement.ts";

/** What is written beside the run when it pauses; empty for an execution that did not pause. @param now epoch seconds */
export function pauseOf(
  run: StoredRun,
  outcome: RunOutcome,
  now: number,
  settings: { readonly APPROVAL_EXPIRES_SECONDS: number },
): Pick<Ending, "pause"> {
  if (outcome.status !== "PAUSED") return {};
  const approval = approvalOfPause(run, outcome, now, settings.APPROVAL_EXPIRES_SECONDS);
  const { digests, output, state } = outcome;
  const checkpoint = state && packCheckpoint({ state });
  return {
    pause: {
      digests,
      approval,
      approval_ids: approvalIds(output),
      ...(state && checkpoint && { checkpoint, resumes_at: resumesAt(state) }),
    },
  };
}

/** When a paused workflow resumes without an answer, in epoch seconds; undefined where it never does. */
function resumesAt({ requirements, results }: WorkflowState): number | undefined {
  const deadlines = Object.values(requirements).flatMap((asked) =>
    asked.timeout_at === null || isAnswered(asked) || asked.step_id in results
      ? []
      : [Math.ceil(Date.parse(asked.timeout_at) / 1000)],
  );
  return deadlines.length > 0 ? Math.min(...deadlines) : undefined;
}

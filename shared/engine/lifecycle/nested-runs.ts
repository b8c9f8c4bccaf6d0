import type { RunOutput } from "../../schemas/runs/run.ts";
import type { StoredOutput } from "../../schemas/runs/stored-output.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import type { RunOutcome } from "../run/run-outcome.ts";

/**
 * The runs that ended within a run, as records of their own: those of a team's members, those of the agents and teams
 * of a workflow's steps, and the runs within them.
 *
 * @source docs/interface/sessions.md 5.1
 */
export function nestedRuns(run: StoredRun, { output }: RunOutcome): StoredRun[] {
  return within(output)
    .filter(({ status }) => hasEnded.has(status))
    .map((nested) => ({
      run_id: nested.run_id,
      session_id: run.session_id,
      owner: run.owner,
      component_type: nested.team_id === undefined ? "agent" : "team",
      component_id: nested.team_id ?? nested.agent_id ?? "",
      status: nested.status,
      attempt: run.attempt,
      queued: false,
      opens_session: false,
      kwargs: {},
      output: nested,
    }));
}

const hasEnded: ReadonlySet<string> = new Set(["COMPLETED", "ERROR", "CANCELLED"]);

function within({ member_responses = [], step_executor_runs = [] }: Partial<StoredOutput>): RunOutput[] {
  const runs = [...member_responses, ...step_executor_runs];
  return runs.flatMap((nested) => [nested, ...within(nested)]);
}

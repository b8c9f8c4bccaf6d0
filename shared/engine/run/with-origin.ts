import type { StoredOutput } from "../../schemas/runs/stored-output.ts";
import type { RunOutcome } from "./run-outcome.ts";

/**
 * Adds to an outcome what the execution does not know: from which run it was forked or regenerated, and the
 * requirements that people answered in earlier executions.
 *
 * @param before  the run before this execution
 */
export function withOrigin(before: StoredOutput, outcome: RunOutcome): RunOutcome {
  const { forked_from_run_id, forked_from_message_index, forked_from_session_id, regenerated_from } = before;
  const requirements = [...(before.requirements ?? []), ...(outcome.output.requirements ?? [])];
  return {
    ...outcome,
    output: {
      ...outcome.output,
      ...(requirements.length > 0 && { requirements }),
      ...(forked_from_run_id !== undefined && { forked_from_run_id }),
      ...(forked_from_message_index !== undefined && { forked_from_message_index }),
      ...(forked_from_session_id !== undefined && { forked_from_session_id }),
      ...(regenerated_from !== undefined && { regenerated_from }),
    },
  };
}

import type { StoredOutput } from "../../schemas/runs/stored-output.ts";
import type { RunOutcome } from "./run-outcome.ts";

/**
 * Keeps on a run what an execution of it knows nothing of: where it comes from, and what people were asked in earlier
 * legs and answered.
 *
 * @param before  the run as the execution found it
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

import { allSettled } from "../../runtime/all-settled.ts";
import { openBatch } from "../call/batch.ts";
import type { Execution } from "../run/execution.ts";
import { hasEnded } from "../run/member-run.ts";
import type { RunState } from "../run/run-state.ts";
import { runMember } from "./run-member.ts";

/**
 * Ends the running and waiting runs of members in a team whose own run was stopped: each takes no further step and
 * emits its end.
 */
export async function endMembers(state: RunState, execution: Execution): Promise<RunState> {
  const { agent } = execution;
  const { members = [] } = state;
  if (agent.kind !== "team" || members.every(hasEnded)) return state;
  const { saveCheckpoint: _, ...ports } = execution.ports;
  const ending = { ...execution, ports };
  const batch = openBatch(state, ending);
  await allSettled(
    members
      .filter((run) => !hasEnded(run))
      .map((run) => {
        const call = state.tools.find(({ tool_call_id }) => tool_call_id === run.tool_call_id);
        if (!call) throw new Error(`no call of the run has asked for ${run.run_id}`);
        return runMember(run, {}, { team: agent, call, batch, execution: ending });
      }),
  );
  return batch.state();
}

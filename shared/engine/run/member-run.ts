import type { ToolExecution } from "../../schemas/runs/run.ts";
import type { MemberRun, RunState } from "./run-state.ts";

/** The members' runs that one of the leader's calls started. */
export const runsOfCall = (
  { members = [] }: Pick<RunState, "members">,
  { tool_call_id }: Pick<ToolExecution, "tool_call_id">,
): MemberRun[] => members.filter((run) => run.tool_call_id === tool_call_id);

export const hasEnded = ({ output }: MemberRun): boolean =>
  output !== undefined && output.status !== "PAUSED";

/** The state with a member's run added or replaced. */
export function withMemberRun(state: RunState, run: MemberRun): RunState {
  const { members = [] } = state;
  const isKnown = members.some(({ run_id }) => run_id === run.run_id);
  return {
    ...state,
    members: isKnown ? members.map((one) => (one.run_id === run.run_id ? run : one)) : [...members, run],
  };
}

import type { FailureCause } from "../../domain/jobs/failure-cause.ts";
import type { Requirement, RunOutput, ToolExecution } from "../../schemas/runs/run.ts";
import type { RunState } from "../run-state.ts";

/** A member's run as the run of its team remembers it: plain JSON, like the state that it is part of. */
export type MemberRun = {
  readonly run_id: string;
  readonly member_id: string;
  /** The leader's call that asked for it. */
  readonly tool_call_id: string;
  readonly task: string;
  /** Epoch seconds. */
  readonly created_at: number;
  /** Where it goes on; absent before its first step, and once it has ended. */
  readonly state?: RunState;
  /** Given while it waits for a person, and once it has ended. */
  readonly output?: RunOutput;
  /** Given once it has failed. */
  readonly cause?: FailureCause;
  /** What people were asked in it before, and answered. */
  readonly answered?: readonly Requirement[];
  /** Whether the call has told of its end already, because a person had to be asked. */
  readonly told?: boolean;
};

/** The members' runs that one of the leader's calls asked for. */
export const runsOfCall = (
  { members = [] }: Pick<RunState, "members">,
  { tool_call_id }: Pick<ToolExecution, "tool_call_id">,
): MemberRun[] => members.filter((run) => run.tool_call_id === tool_call_id);

export const hasEnded = ({ output }: MemberRun): boolean =>
  output !== undefined && output.status !== "PAUSED";

/** The state with a run added, or put in the place of what was known of it. */
export function withMemberRun(state: RunState, run: MemberRun): RunState {
  const { members = [] } = state;
  const isKnown = members.some(({ run_id }) => run_id === run.run_id);
  return {
    ...state,
    members: isKnown ? members.map((one) => (one.run_id === run.run_id ? run : one)) : [...members, run],
  };
}

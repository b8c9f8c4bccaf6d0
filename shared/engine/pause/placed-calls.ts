import type { Requirement, RunOutput, ToolExecution } from "../../schemas/runs/run.ts";
import { callKey } from "./call-key.ts";

/** A call of a run, or of a run within it. */
export type PlacedCall = {
  readonly call: ToolExecution;
  /** See `callKey`. */
  readonly key: string;
  /** Ids of the members on the path to the run that made it; empty for the run's own calls. */
  readonly members: readonly string[];
  /** The run within the run that made it; absent for one of the run's own. */
  readonly member_run_id?: string;
};

/** A run with those within it: of a team's members, or of the agents and teams of a workflow's steps. */
type WithRuns = RunOutput & { readonly step_executor_runs?: readonly RunOutput[] | undefined };

/** The calls of a run, and of the paused runs within it. */
export function placedCalls(output: WithRuns, members: readonly string[] = []): PlacedCall[] {
  const { tools = [], member_responses = [], step_executor_runs = [], run_id } = output;
  const within = members.length === 0 ? {} : { member_run_id: run_id };
  const own = tools.map((call) => ({
    call,
    key: callKey(call.tool_call_id, within.member_run_id),
    members,
    ...within,
  }));
  const waiting = [...member_responses, ...step_executor_runs].filter(({ status }) => status === "PAUSED");
  return [...own, ...waiting.flatMap((one) => placedCalls(one, [...members, memberIdOf(one)]))];
}

/** The run with its calls replaced, by key; see `placedCalls`. */
export function withPlacedCalls(
  output: RunOutput,
  calls: ReadonlyMap<string, ToolExecution>,
  member_run_id?: string,
): RunOutput {
  const { tools, requirements, member_responses } = output;
  const placed = (tool_call_id: string) => calls.get(callKey(tool_call_id, member_run_id));
  return {
    ...output,
    ...(tools && { tools: tools.map((call) => placed(call.tool_call_id) ?? call) }),
    ...(requirements && {
      requirements: requirements.map((one) => {
        const { tool_execution, member_run_id: of = member_run_id } = one;
        return answeredRequirement(one, calls.get(callKey(tool_execution.tool_call_id, of)));
      }),
    }),
    ...(member_responses && {
      member_responses: member_responses.map((one) =>
        one.status === "PAUSED" ? withPlacedCalls(one, calls, one.run_id) : one,
      ),
    }),
  };
}

const memberIdOf = ({ agent_id, team_id }: RunOutput): string => team_id ?? agent_id ?? "";

/** A requirement with the answers that were entered in its call. */
function answeredRequirement(one: Requirement, call: ToolExecution | undefined): Requirement {
  if (!call) return one;
  return {
    ...one,
    tool_execution: call,
    ...(call.confirmed !== null && { confirmation: call.confirmed }),
    ...(call.confirmation_note !== null && { confirmation_note: call.confirmation_note }),
    ...(call.external_execution_required &&
      call.result !== null && { external_execution_result: call.result }),
    ...(call.user_input_schema && { user_input_schema: call.user_input_schema }),
    ...(call.user_feedback_schema && { user_feedback_schema: call.user_feedback_schema }),
  };
}

import type { Requirement, ToolExecution } from "../../schemas/runs/run.ts";

/** A requirement with the answers that were entered in its call. */
export function answeredRequirement(one: Requirement, call: ToolExecution | undefined): Requirement {
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

import type { RequirementAnswer } from "../schemas/requirement-answer.ts";
import type { ToolAnswer } from "../schemas/tool-answer.ts";

/** What answers to requirements say about their calls: an answer stands on the requirement or on its call. */
export const toolAnswersOf = (answers: readonly RequirementAnswer[]): ToolAnswer[] =>
  answers.flatMap(({ tool_execution: call, ...on }) => {
    if (!call) return [];
    return [
      {
        ...call,
        confirmed: call.confirmed ?? on.confirmation,
        confirmation_note: call.confirmation_note ?? on.confirmation_note,
        user_input_schema: on.user_input_schema ?? call.user_input_schema,
        user_feedback_schema: on.user_feedback_schema ?? call.user_feedback_schema,
        result: call.result ?? on.external_execution_result,
      },
    ];
  });

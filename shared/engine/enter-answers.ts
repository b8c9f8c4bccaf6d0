import { ServiceError } from "../errors.ts";
import type { RequirementAnswer } from "../schemas/requirement-answer.ts";
import type { Requirement, RunOutput } from "../schemas/run.ts";
import type { ToolAnswer } from "../schemas/tool-answer.ts";
import { applyAnswers } from "./apply-answers.ts";
import type { PlacedCall } from "./placed-calls.ts";
import type { ContinueAsked } from "./plan-continue.ts";

/** An answer, and the run within the run that asked; absent for the run itself. */
export type PlacedAnswer = ToolAnswer & { readonly member_run_id?: string | undefined };

/**
 * The answers of a request, whether they come with calls or with requirements.
 *
 * @throws ServiceError BAD_REQUEST for an answer that does not say to what
 */
export const answersIn = (
  { tools, requirements = [] }: Pick<ContinueAsked, "tools" | "requirements">,
  output: RunOutput,
): PlacedAnswer[] => [
  ...tools.map((answer) => ({ ...answer, member_run_id: undefined })),
  ...requirements.map((answer) => placedAnswer(answer, output.requirements ?? [])),
];

/**
 * Enters answers in the calls that they answer; see `applyAnswers`. Answers to runs that wait no more are passed over:
 * clients send back all that they were shown.
 */
export function enterAnswers<Placed extends PlacedCall>(
  placed: readonly Placed[],
  answers: readonly PlacedAnswer[],
): Placed[] {
  const runs = [...new Set(placed.map(({ member_run_id }) => member_run_id)), undefined];
  const answered = new Map(
    [...new Set(runs)].flatMap((run_id) => {
      const own = placed.filter(({ member_run_id }) => member_run_id === run_id);
      const calls = applyAnswers(
        own.map(({ call }) => call),
        answers.filter(({ member_run_id }) => member_run_id === run_id),
      );
      return own.map(({ key }, i) => [key, calls[i]] as const);
    }),
  );
  return placed.map((one) => ({ ...one, call: answered.get(one.key) ?? one.call }));
}

function placedAnswer(answer: RequirementAnswer, asked: readonly Requirement[]): PlacedAnswer {
  const { tool_execution, id, confirmation, external_execution_result } = answer;
  const requirement = asked.find((one) => isMeant(one, answer));
  const tool_call_id = tool_execution?.tool_call_id ?? requirement?.tool_execution.tool_call_id;
  if (tool_call_id === undefined) {
    throw new ServiceError(
      "BAD_REQUEST",
      `this run does not wait with a requirement ${id ?? "without an id"}`,
    );
  }
  return {
    ...tool_execution,
    tool_call_id,
    confirmed: tool_execution?.confirmed ?? confirmation,
    confirmation_note: noteIn(answer, requirement),
    result: tool_execution?.result ?? external_execution_result,
    user_input_schema: filledIn(answer.user_input_schema, tool_execution?.user_input_schema),
    user_feedback_schema: filledIn(answer.user_feedback_schema, tool_execution?.user_feedback_schema),
    member_run_id: requirement?.member_run_id ?? answer.member_run_id ?? undefined,
  };
}

const isMeant = (
  { id, tool_execution, member_run_id }: Requirement,
  { id: named, tool_execution: call, member_run_id: run_id }: RequirementAnswer,
): boolean =>
  named == null
    ? tool_execution.tool_call_id === call?.tool_call_id && member_run_id === (run_id ?? undefined)
    : id === named;

/** The form that somebody wrote into: a requirement and its call both show it. */
function filledIn<Field extends { value?: unknown; selected_options?: unknown }>(
  ...forms: readonly (readonly Field[] | null | undefined)[]
): Field[] | undefined {
  const isFilled = (fields: readonly Field[]) =>
    fields.some(({ value, selected_options }) => value != null || selected_options != null);
  const given = forms.filter((form) => form != null);
  const form = given.find(isFilled) ?? given[0];
  return form && [...form];
}

/** What a requirement says to people comes back with it, and is no note of theirs. */
function noteIn({ tool_execution, confirmation_note }: RequirementAnswer, asked: Requirement | undefined) {
  const own = confirmation_note === asked?.confirmation_note ? undefined : confirmation_note;
  return tool_execution?.confirmation_note ?? own;
}

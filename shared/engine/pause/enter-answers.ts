import { ServiceError } from "../../errors.ts";
import type { RequirementAnswer, ToolAnswer } from "../../schemas/runs/pause-answers.ts";
import type { Requirement, RunOutput } from "../../schemas/runs/run.ts";
import { applyAnswers } from "./apply-answers.ts";
import type { PlacedCall } from "./approval-of.ts";
import type { ContinueRequest } from "./continuation-of.ts";

/**
 * The answers of a request, whether they come as calls or as requirements.
 *
 * @throws ServiceError BAD_REQUEST for an answer that names no call
 */
export function answersIn(
  { tools, requirements = [] }: Pick<ContinueRequest, "tools" | "requirements">,
  output: Pick<RunOutput, "requirements">,
): PlacedAnswer[] {
  const placed = toolAnswersOf(requirements, output.requirements);
  if (placed.length < requirements.length) {
    throw new ServiceError("BAD_REQUEST", "an answer in requirements names nothing that this run waits for");
  }
  return [...tools.map((answer) => ({ ...answer, member_run_id: undefined })), ...placed];
}

/**
 * Enters answers in their calls; see `applyAnswers`. Answers to nested runs that no longer wait are ignored: clients
 * send back everything that they were shown.
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

/** An answer, and the nested run whose call it answers; absent for a call of the run itself. */
export type PlacedAnswer = ToolAnswer & { readonly member_run_id?: string | undefined };

/**
 * Answers to requirements as answers to their calls. A client may put an answer on the requirement or on its call.
 * Answers that name no call are left out.
 *
 * @param asked  the requirements as they were shown
 */
export const toolAnswersOf = (
  answers: readonly RequirementAnswer[],
  asked: readonly Requirement[] = [],
): PlacedAnswer[] => answers.flatMap((answer) => placedAnswer(answer, asked) ?? []);

function placedAnswer(answer: RequirementAnswer, asked: readonly Requirement[]): PlacedAnswer | undefined {
  const { tool_execution, confirmation, external_execution_result } = answer;
  const requirement = asked.find((one) => isAnsweredBy(one, answer));
  const tool_call_id = tool_execution?.tool_call_id ?? requirement?.tool_execution.tool_call_id;
  if (tool_call_id === undefined) return undefined;
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

const isAnsweredBy = (
  { id, tool_execution, member_run_id }: Requirement,
  { id: named, tool_execution: call, member_run_id: run_id }: RequirementAnswer,
): boolean =>
  named == null
    ? tool_execution.tool_call_id === call?.tool_call_id && member_run_id === (run_id ?? undefined)
    : id === named;

/** The form with values filled in: the requirement and its call both carry a copy. */
function filledIn<Field extends { value?: unknown; selected_options?: unknown }>(
  ...forms: readonly (readonly Field[] | null | undefined)[]
): Field[] | undefined {
  const isFilled = (fields: readonly Field[]) =>
    fields.some(({ value, selected_options }) => value != null || selected_options != null);
  const present = forms.filter((form) => form != null);
  const form = present.find(isFilled) ?? present[0];
  return form && [...form];
}

/** Clients send back the note that the requirement showed; that is no answer of theirs. */
function noteIn({ tool_execution, confirmation_note }: RequirementAnswer, asked: Requirement | undefined) {
  const own = confirmation_note === asked?.confirmation_note ? undefined : confirmation_note;
  return tool_execution?.confirmation_note ?? own;
}

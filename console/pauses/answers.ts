import type { CallInputField, StepRequirement } from "../../client/index.ts";
import type { Kind } from "../api/kinds.ts";
import type { ContinueBody } from "../api/run-streams.ts";
import type { Item } from "./items.ts";
import { enteredValue } from "./values.ts";

/** What a reader has entered for one item so far. */
export type Draft = {
  readonly decision?: "yes" | "no";
  readonly note: string;
  /** Texts of fields, by the field's name. */
  readonly fields: Readonly<Record<string, string>>;
  /** Chosen options, by the question; of a router under its step. */
  readonly chosen: Readonly<Record<string, readonly string[]>>;
  readonly result: string;
  /** The output of a step, where it was changed. */
  readonly edited?: string;
};

export const emptyDraft: Draft = { note: "", fields: {}, chosen: {}, result: "" };

type StepAnswer = Exclude<NonNullable<ContinueBody["step_requirements"]>, string>[number];

/** What is missing or wrong in a draft, by the name of its field. */
export type Problems = Readonly<Record<string, string>>;

/** Names of what is no field of a schema. */
export const DECISION = "#decision";
export const RESULT = "#result";
export const ROUTE = "#route";

/** The fields that a person fills in; a model has filled in the others. */
export const openFields = (fields: readonly CallInputField[] | null | undefined): readonly CallInputField[] =>
  (fields ?? []).filter(({ value }) => value === null || value === undefined);

type StepField = NonNullable<StepRequirement["user_input_schema"]>[number];

export function problemsOf(item: Item, draft: Draft): Problems {
  if (item.kind === "failure") return draft.decision ? {} : { [DECISION]: "Choose what happens next." };
  if (item.kind === "call" && item.needsApprover) return {};
  const problems: Record<string, string> = {};
  const { questions } = item;
  const decides = questions.some((one) => one === "confirmation" || one === "output_review");
  if (decides && draft.decision === undefined) problems[DECISION] = "Approve or reject it.";
  // A refusal answers everything else.
  if (draft.decision === "no") return problems;
  const fields = item.kind === "call" ? callFields(item) : stepFields(item);
  for (const { name, field_type, required } of fields) {
    const { problem } = enteredValue(field_type, draft.fields[name] ?? "", required);
    if (problem !== undefined) problems[name] = problem;
  }
  if (item.kind === "step") {
    if (item.questions.includes("route_selection") && (draft.chosen[ROUTE] ?? []).length === 0)
      problems[ROUTE] = "Choose where it continues.";
    return problems;
  }
  for (const { question } of questionsOf(item))
    if ((draft.chosen[question] ?? []).every((one) => one.trim() === ""))
      problems[question] = "Answer this question.";
  if (item.questions.includes("external_execution") && draft.result.trim() === "")
    problems[RESULT] = "Enter the result.";
  return problems;
}

type Field = { readonly name: string; readonly field_type: string; readonly required: boolean };

const callFields = ({ asked, questions }: Item & { kind: "call" }): readonly Field[] =>
  questions.includes("user_input")
    ? openFields(asked.tool_execution.user_input_schema).map((field) => ({ ...field, required: true }))
    : [];

const stepFields = ({ asked, questions }: Item & { kind: "step" }): readonly StepField[] =>
  questions.includes("user_input") ? (asked.user_input_schema ?? []) : [];

export const questionsOf = ({ asked, questions }: Item & { kind: "call" }) =>
  questions.includes("user_feedback") ? (asked.tool_execution.user_feedback_schema ?? []) : [];

/**
 * The answers in the form in which a kind of run takes them. What an approver decides is left out: the platform has it.
 *
 * @param drafts  by the items' keys; without problems
 */
export function answersOf(
  kind: Kind,
  items: readonly Item[],
  drafts: Readonly<Record<string, Draft>>,
): ContinueBody {
  const draftOf = ({ key }: Item) => drafts[key] ?? emptyDraft;
  const calls = items.filter((item) => item.kind === "call").filter(({ needsApprover }) => !needsApprover);
  if (kind === "agent")
    return calls.length > 0 ? { tools: calls.map((one) => callAnswer(one, draftOf(one))) } : {};
  if (kind === "team")
    return calls.length > 0 ? { requirements: calls.map((one) => requirementAnswer(one, draftOf(one))) } : {};
  const ofExecutors: StepAnswer[] = [...Map.groupBy(calls, ({ step }) => step?.step_id ?? "")].map(
    ([step_id, own]) => ({
      step_id,
      executor_requirements: own.map((one) => requirementAnswer(one, draftOf(one))),
    }),
  );
  const ofSteps = items.flatMap((item): StepAnswer[] =>
    item.kind === "step"
      ? [stepAnswer(item, draftOf(item))]
      : item.kind === "failure"
        ? [
            {
              step_id: item.asked.step_id,
              decision: draftOf(item).decision === "yes" ? ("retry" as const) : ("skip" as const),
            },
          ]
        : [],
  );
  const step_requirements = [...ofExecutors, ...ofSteps];
  return step_requirements.length > 0 ? { step_requirements } : {};
}

function callAnswer(item: Item & { kind: "call" }, draft: Draft) {
  const { tool_call_id } = item.asked.tool_execution;
  const refused = draft.decision === "no";
  const noted = draft.note.trim() !== "" && { confirmation_note: draft.note.trim() };
  if (refused) return { tool_call_id, confirmed: false, ...noted };
  const fields = callFields(item);
  const questions = questionsOf(item);
  return {
    tool_call_id,
    ...(item.questions.includes("confirmation") && { confirmed: true, ...noted }),
    ...(fields.length > 0 && {
      user_input_schema: fields.map(({ name, field_type }) => ({
        name,
        value: enteredValue(field_type, draft.fields[name] ?? "", true).value,
      })),
    }),
    ...(questions.length > 0 && {
      user_feedback_schema: questions.map(({ question }) => ({
        question,
        selected_options: [...(draft.chosen[question] ?? [])],
      })),
    }),
    ...(item.questions.includes("external_execution") && { result: draft.result }),
  };
}

function requirementAnswer(item: Item & { kind: "call" }, draft: Draft) {
  const { id, member_run_id } = item.asked;
  return { id, ...(member_run_id && { member_run_id }), tool_execution: callAnswer(item, draft) };
}

function stepAnswer(item: Item & { kind: "step" }, draft: Draft) {
  const { step_id, is_post_execution } = item.asked;
  const decides = item.questions.some((one) => one === "confirmation" || one === "output_review");
  const which = { step_id, is_post_execution };
  if (decides && draft.decision === "no") {
    const feedback = draft.note.trim();
    return { ...which, confirmed: false, ...(feedback !== "" && { rejection_feedback: feedback }) };
  }
  const fields = stepFields(item).flatMap(({ name, field_type, required }) => {
    const { value } = enteredValue(field_type, draft.fields[name] ?? "", required);
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...which,
    ...(decides && { confirmed: true }),
    ...(item.questions.includes("user_input") && { user_input: Object.fromEntries(fields) }),
    ...(item.questions.includes("route_selection") && { selected_choices: [...(draft.chosen[ROUTE] ?? [])] }),
    ...(draft.edited !== undefined && { edited_output: editedOutput(item.asked, draft.edited) }),
  };
}

/** An output that was text stays text; one that was a value is a value again where it is one. */
function editedOutput({ step_output }: StepRequirement, text: string): unknown {
  if (typeof step_output?.content === "string") return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

import type { OpenCall, OpenCallQuestion } from "../domain/runs/open-requirements.ts";
import type { Requirement } from "../schemas/runs/run.ts";
import { isObject, ownMember } from "../schemas/values/json-values.ts";

type JsonSchema = Readonly<Record<string, unknown>>;
type Part = {
  /** Members of the answer that this question wants. */
  readonly properties: JsonSchema;
  readonly required: readonly string[];
};

/** The JSON Schema of the answer that a waiting call takes. */
export function callAnswerSchema({ requirement, questions }: OpenCall): Record<string, unknown> {
  const parts = questions.map((question) => answerParts[question](requirement));
  return {
    type: "object",
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required }) => required),
  };
}

const answerParts: Readonly<Record<OpenCallQuestion, (asked: Requirement) => Part>> = {
  confirmation: () => ({
    properties: { confirmed: { type: "boolean" }, note: { type: "string" }, editedArgs: { type: "object" } },
    required: ["confirmed"],
  }),
  user_input: ({ user_input_schema }) => ({
    properties: { values: valuesSchema(user_input_schema) },
    required: ["values"],
  }),
  user_feedback: ({ user_feedback_schema }) => ({
    properties: { selections: selectionsSchema(user_feedback_schema) },
    required: ["selections"],
  }),
  external_execution: () => ({ properties: { result: { type: "string" } }, required: ["result"] }),
};

/** What this wire calls the types of fields, as JSON Schema calls them. */
const jsonTypes: Readonly<Record<string, string>> = {
  int: "integer",
  float: "number",
  bool: "boolean",
  list: "array",
  dict: "object",
};

type Fields = readonly Readonly<Record<string, unknown>>[] | undefined;

export const valuesSchema = (fields: Fields = []): JsonSchema => {
  const open = fields.filter(({ value }) => value === undefined || value === null);
  const schemaOf = ({
    field_type,
    description,
  }: Fields extends undefined ? never : Record<string, unknown>) => ({
    type: jsonTypes[String(field_type)] ?? "string",
    ...(typeof description === "string" && { description }),
  });
  return {
    type: "object",
    properties: Object.fromEntries(open.map((field) => [String(field.name), schemaOf(field)])),
    required: open.map(({ name }) => String(name)),
  };
};

const selectionsSchema = (questions: Fields = []): JsonSchema => ({
  type: "object",
  properties: Object.fromEntries(
    questions.map(({ question, options }) => [
      String(question),
      { type: "array", items: { type: "string", ...(Array.isArray(options) && { enum: labels(options) }) } },
    ]),
  ),
  required: questions.map(({ question }) => String(question)),
});

const labels = (options: readonly unknown[]) =>
  options.flatMap((option) => (isObject(option) && typeof option.label === "string" ? [option.label] : []));

/**
 * A requirement with the answer of a client in it.
 *
 * @returns undefined where the payload is no answer to every question of the call
 */
export function answeredCall({ requirement, questions }: OpenCall, payload: unknown): object | undefined {
  const parts = questions.map((question) => enterAnswer[question](requirement, payload));
  return parts.includes(undefined) ? undefined : Object.assign({ ...requirement }, ...parts);
}

/** The arguments in an answer that a person gives in place of the model's. */
export function editedArguments(payload: unknown): unknown {
  return isObject(payload) ? payload.editedArgs : undefined;
}

/** Whether the call may be edited is decided where it continues. */
const isArguments = (value: unknown): value is Readonly<Record<string, unknown>> | undefined =>
  value === undefined || isObject(value);

type EnterAnswer = (asked: Requirement, payload: unknown) => object | undefined;

/** The members of a requirement that carry the answer; undefined where the payload has none. */
const enterAnswer: Readonly<Record<OpenCallQuestion, EnterAnswer>> = {
  confirmation: ({ tool_execution }, payload) => {
    const confirmation = yesOrNo(payload);
    const note = isObject(payload) ? (payload.reason ?? payload.note) : undefined;
    const editedArgs = editedArguments(payload);
    if (confirmation === undefined || !isArguments(editedArgs)) return undefined;
    return {
      confirmation,
      ...(typeof note === "string" && { confirmation_note: note }),
      ...(confirmation && editedArgs && { tool_execution: { ...tool_execution, tool_args: editedArgs } }),
    };
  },
  user_input: ({ user_input_schema }, payload) => ({
    user_input_schema: filledFields(user_input_schema, membersIn(payload, "values")),
  }),
  user_feedback: ({ user_feedback_schema }, payload) => ({
    user_feedback_schema: filledQuestions(user_feedback_schema, membersIn(payload, "selections")),
  }),
  external_execution: (_, payload) => {
    const result = isObject(payload) ? (payload.result ?? payload) : payload;
    if (result === undefined) return undefined;
    return { external_execution_result: typeof result === "string" ? result : JSON.stringify(result) };
  },
};

/** The members of an answer, which clients give by themselves or under a name. */
function membersIn(payload: unknown, name: string): Readonly<Record<string, unknown>> {
  const given = isObject(payload) ? payload : {};
  const inner = given[name];
  return isObject(inner) ? inner : given;
}

/** A requirement that is refused; undefined for questions that have no "no". */
export const refusedCall = ({ requirement, questions }: OpenCall): object | undefined =>
  questions.includes("confirmation") ||
  questions.includes("external_execution") ||
  requirement.tool_execution.remote_call
    ? { ...requirement, confirmation: false }
    : undefined;

export const filledFields = <Field extends Readonly<Record<string, unknown>>>(
  fields: readonly Field[] = [],
  values: Readonly<Record<string, unknown>>,
) => fields.map((field) => ({ ...field, value: ownMember(values, String(field.name)) ?? field.value }));

const filledQuestions = (questions: Fields = [], selections: Readonly<Record<string, unknown>>) =>
  questions.map((question) => ({
    ...question,
    selected_options: selected(ownMember(selections, String(question.question))),
  }));

const selected = (chosen: unknown): unknown => (typeof chosen === "string" ? [chosen] : (chosen ?? null));

/** A person's decision as `yesOrNo` reads it, of a protocol that has its own words for it. Anything but `true` is a no. */
export const decisionOf = (approved: unknown, reason: unknown): { confirmed: boolean; note?: string } => ({
  confirmed: approved === true,
  ...(typeof reason === "string" && reason !== "" && { note: reason }),
});

/** A yes or a no, alone or as the member that clients of this protocol give it in. */
export function yesOrNo(payload: unknown): boolean | undefined {
  if (typeof payload === "boolean") return payload;
  if (!isObject(payload)) return undefined;
  const said = [payload.confirmed, payload.accepted, payload.approved].find(
    (one) => typeof one === "boolean",
  );
  return typeof said === "boolean" ? said : undefined;
}

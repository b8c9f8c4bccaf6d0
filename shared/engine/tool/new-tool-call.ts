import type { JSONSchema7 } from "@ai-sdk/provider";
import { epochSeconds } from "../../runtime/clock.ts";
import type { ToolExecution } from "../../schemas/runs/run.ts";
import { ownMember } from "../../schemas/values/json-values.ts";
import type { EnginePorts } from "../ports/engine-ports.ts";
import { jsonSchemaOf } from "./declared-schema.ts";
import type { Question, Tool } from "./tool.ts";

/** A tool call that has not run yet. Every key is always present. */
export const newToolCall = (
  fields: Pick<ToolExecution, "tool_call_id" | "tool_name" | "tool_args"> & Partial<ToolExecution>,
  { clock }: Pick<EnginePorts, "clock">,
): ToolExecution => ({
  tool_call_error: null,
  result: null,
  metrics: null,
  child_run_id: null,
  stop_after_tool_call: false,
  created_at: epochSeconds(clock),
  ...noQuestions,
  confirmed: null,
  confirmation_note: null,
  approval_id: null,
  ...fields,
});

type QuestionFields = Pick<
  ToolExecution,
  | "requires_confirmation"
  | "requires_user_input"
  | "answered"
  | "user_input_schema"
  | "user_feedback_schema"
  | "external_execution_required"
  | "external_execution_silent"
  | "approval_type"
>;

/** The fields of a call without questions to a person. */
const noQuestions: QuestionFields = {
  requires_confirmation: null,
  requires_user_input: null,
  answered: null,
  user_input_schema: null,
  user_feedback_schema: null,
  external_execution_required: null,
  external_execution_silent: null,
  approval_type: null,
};

/**
 * The questions that a person has to answer before a call is complete.
 *
 * @param args  the arguments, as far as the model gave them
 * @decided     a tool that needs an approval and asks nothing else asks for a confirmation
 * @source      docs/interface/runs.md 4.7
 */
export function questionsOfCall(tool: Tool, args: Record<string, unknown>): QuestionFields {
  const questions = tool.asks?.(args);
  const needsInput = tool.requires_user_input === true;
  const asksOtherwise = needsInput || questions !== undefined || tool.external_execution === true;
  const needsConfirmation =
    tool.requires_confirmation || (tool.approval_type !== undefined && !asksOtherwise);
  return {
    ...noQuestions,
    requires_confirmation: needsConfirmation ? true : null,
    requires_user_input: needsInput || questions ? true : null,
    answered: needsInput || questions ? false : null,
    user_input_schema: needsInput ? inputSchema(tool, args) : null,
    user_feedback_schema: questions?.map(feedbackField) ?? null,
    external_execution_required: tool.external_execution ? true : null,
    external_execution_silent: tool.external_execution_silent ? true : null,
    approval_type: tool.approval_type ?? null,
  };
}

/** The arguments that a person fills in, and those that the model has filled in already. */
function inputSchema(tool: Tool, args: Record<string, unknown>) {
  const own = userInputFields(tool);
  return Object.entries<JSONSchema7 | boolean>(toolParameters(tool).properties ?? {})
    .filter(([name]) => own.includes(name) || Object.hasOwn(args, name))
    .map(([name, schema]) => ({
      name,
      ...fieldOf(schema === true || schema === false ? {} : schema),
      value: ownMember(args, name) ?? null,
    }));
}

const fieldTypes: Readonly<Record<string, string>> = {
  integer: "int",
  number: "float",
  boolean: "bool",
  array: "list",
  object: "dict",
};

const fieldOf = ({ type, description }: JSONSchema7) => ({
  field_type: fieldTypes[String(type)] ?? "str",
  description: description ?? null,
});

const feedbackField = ({ question, header, multi_select, options }: Question) => ({
  question,
  header,
  multi_select,
  selected_options: null,
  ...(options && {
    options: options.map(({ label, description = null }) => ({ label, description, selected: false })),
  }),
});

/** JSON Schema of a tool's arguments; what it leaves out is still validated before a call. */
export const toolParameters = (tool: Tool): JSONSchema7 => tool.input_schema ?? jsonSchemaOf(tool.parameters);

/** The arguments that the model sees: without those that a person fills in. */
export function shownParameters(tool: Tool): JSONSchema7 {
  const schema = toolParameters(tool);
  const hidden = tool.user_input_fields;
  if (!hidden) return schema;
  const isShown = (name: string) => !hidden.includes(name);
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(schema.properties ?? {}).filter(([name]) => isShown(name))),
    ...(schema.required && { required: schema.required.filter(isShown) }),
  };
}

/** The arguments that a person fills in; none when the tool needs no input. */
export function userInputFields(tool: Tool): readonly string[] {
  if (!tool.requires_user_input) return [];
  return tool.user_input_fields ?? Object.keys(toolParameters(tool).properties ?? {});
}

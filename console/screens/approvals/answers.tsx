import type { Approval } from "../../../client/index.ts";
import { TextField } from "../../parts/form/fields.tsx";

export type Answers = Readonly<Record<string, string>>;

type Asked = {
  readonly name: string;
  readonly type: string;
  readonly about: string | null;
};

/** A result of a tool that the client executes has this name among the answers. */
export const RESULT = "result";

/** The fields that an approver fills in, beside the decision. */
export function askedFields({ pause_type, requirements }: Approval): readonly Asked[] {
  if (pause_type === "external_execution") {
    return [{ name: RESULT, type: "str", about: "What the tool gave, as the agent receives it." }];
  }
  const fields = (requirements ?? []).flatMap(
    ({ user_input_schema, tool_execution }) => user_input_schema ?? tool_execution.user_input_schema ?? [],
  );
  return fields
    .filter(({ value }) => value === null || value === undefined)
    .map(({ name, field_type, description }) => ({ name, type: field_type, about: description }));
}

/**
 * The answers as values of their fields' types.
 *
 * @throws Error that names the field whose text is none
 */
export function valuesOf(asked: readonly Asked[], answers: Answers): Record<string, unknown> {
  return Object.fromEntries(
    asked
      .filter(({ name }) => (answers[name] ?? "") !== "")
      .map(({ name, type }) => [name, valueIn(name, type, answers[name] ?? "")]),
  );
}

function valueIn(name: string, type: string, text: string): unknown {
  if (type === "str" || type === "string") return text;
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`“${name}” takes a value of the type ${type}, such as 3, true or ["a"].`);
  }
}

export function AnswerFields({
  asked,
  answers,
  onChange,
}: {
  readonly asked: readonly Asked[];
  readonly answers: Answers;
  readonly onChange: (answers: Answers) => void;
}) {
  return asked.map(({ name, type, about }) => (
    <TextField
      key={name}
      label={name}
      hint={about ?? type}
      {...(name === RESULT && { rows: 3 })}
      value={answers[name] ?? ""}
      onChange={(text) => onChange({ ...answers, [name]: text })}
    />
  ));
}

import type { JSONSchema7 } from "@ai-sdk/provider";
import { toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { issueText } from "../../schemas/values/issue-text.ts";
import type { AgentSettings, OutputSchema } from "./agent.ts";
import type { Runnable } from "./runnable.ts";

/** The form that a run's answer must have. */
export type AnswerShape = {
  /** `content_type` of the run. */
  readonly name: string;
  readonly schema: JSONSchema7;
  /** Checks the answer in place of the JSON Schema, and may transform it. */
  readonly declared?: v.GenericSchema;
};

/** @decided  An answer by a schema without a title still needs a `content_type` other than that of text. */
const UNTITLED = "Output";

/** The shape in a run's request, else its agent's; undefined when the answer is text. */
export function answerShapeOf(
  agent: AgentSettings,
  { output_schema }: Pick<AgentSettings, "output_schema">,
): AnswerShape | undefined {
  const asked = output_schema ?? agent.output_schema;
  return asked && shapeOf(asked);
}

/** The shape of a schema. A declared schema is converted once. */
export function shapeOf(asked: OutputSchema): AnswerShape {
  if (!isDeclared(asked)) return shaped(asked);
  const known = converted.get(asked);
  if (known) return known;
  const schema = toJsonSchema(asked, { typeMode: "input", errorMode: "ignore" });
  const shape = { ...shaped(schema), declared: asked };
  converted.set(asked, shape);
  return shape;
}

const converted = new WeakMap<OutputSchema, AnswerShape>();

function shaped({ $schema: _, ...schema }: Readonly<Record<string, unknown>> | JSONSchema7): AnswerShape {
  const { title } = schema;
  const name = typeof title === "string" && title !== "" ? title : UNTITLED;
  // Compiling it shows whether it is a JSON Schema, before any answer is checked against it.
  return { name, schema: schema as JSONSchema7 };
}

const isDeclared = (schema: OutputSchema): schema is v.GenericSchema =>
  "kind" in schema && schema.kind === "schema" && "~run" in schema;

/** JSON Schema of an agent's input, without checks that JSON Schema cannot express. */
export function inputSchemaOf(schema: v.GenericSchema): JSONSchema7 {
  const { $schema: _, ...converted } = toJsonSchema(schema, { typeMode: "input", errorMode: "ignore" });
  return converted;
}

/**
 * The validation error of a message to an agent, a team or a workflow that has an input schema.
 *
 * @returns undefined when the message is valid, or when any text is taken
 * @source docs/interface/runs.md 3.4
 */
export function inputError({ kind, input_schema }: Runnable, message: string): string | undefined {
  if (!input_schema) return undefined;
  const parsed = v.safeParse(input_schema, jsonOf(message));
  if (parsed.success) return undefined;
  const errors = parsed.issues.map((issue) => issueText(issue, "message"));
  return `The message does not fit the ${kind}'s input schema: ${errors.join("; ")}`;
}

/** Text that is not JSON is validated as it is, so that a schema of plain text can match. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

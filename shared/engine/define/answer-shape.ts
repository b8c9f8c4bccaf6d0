import type { JSONSchema7 } from "@ai-sdk/provider";
import type * as v from "valibot";
import { jsonSchemaOf } from "../tool/declared-schema.ts";
import type { AgentSettings, OutputSchema } from "./agent.ts";

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
  const shape = { ...shaped(jsonSchemaOf(asked)), declared: asked };
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

import type { JSONSchema7 } from "@ai-sdk/provider";
import { toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { issueText } from "../../schemas/values/issue-text.ts";
import type { AgentSettings } from "./agent.ts";

/** JSON Schema of what an agent takes, without what JSON Schema cannot say. */
export function inputSchemaOf(schema: v.GenericSchema): JSONSchema7 {
  const { $schema: _, ...converted } = toJsonSchema(schema, { typeMode: "input", errorMode: "ignore" });
  return converted;
}

/**
 * What is wrong with a message to an agent that takes JSON of a certain shape.
 *
 * @returns undefined when nothing is, or when the agent takes any text
 * @source contract, runs-and-queue 3.5
 */
export function inputFault({ input_schema }: AgentSettings, message: string): string | undefined {
  if (!input_schema) return undefined;
  const parsed = v.safeParse(input_schema, jsonOf(message));
  if (parsed.success) return undefined;
  const faults = parsed.issues.map((issue) => issueText(issue, "message"));
  return `The message does not fit the agent's input schema: ${faults.join("; ")}`;
}

/** Text that is no JSON stands for itself, so that a schema of plain text can be met. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

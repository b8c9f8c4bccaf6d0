import type { JSONSchema7 } from "@ai-sdk/provider";
import { toJsonSchema } from "@valibot/to-json-schema";
import type { Tool } from "./tool.ts";

const converted = new WeakMap<Tool, JSONSchema7>();

/** JSON Schema of a tool's arguments. Converted once for each tool: every model call shows it. */
export function toolParameters(tool: Tool): JSONSchema7 {
  if (tool.input_schema) return tool.input_schema;
  const known = converted.get(tool);
  if (known) return known;
  // What JSON Schema cannot say (a custom check) is left out; the arguments are still validated before a call.
  const { $schema: _, ...schema } = toJsonSchema(tool.parameters, { typeMode: "input", errorMode: "ignore" });
  converted.set(tool, schema);
  return schema;
}

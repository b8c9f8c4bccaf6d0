import type { JSONSchema7 } from "@ai-sdk/provider";
import { toJsonSchema } from "@valibot/to-json-schema";
import type { Tool } from "./tool.ts";

const converted = new WeakMap<Tool, JSONSchema7>();

/** JSON Schema of a tool's arguments. Converted once for each tool: every model call needs it. */
export function toolParameters(tool: Tool): JSONSchema7 {
  if (tool.input_schema) return tool.input_schema;
  const known = converted.get(tool);
  if (known) return known;
  // What JSON Schema cannot say (a custom check) is left out; the arguments are still validated before a call.
  const { $schema: _, ...schema } = toJsonSchema(tool.parameters, { typeMode: "input", errorMode: "ignore" });
  converted.set(tool, schema);
  return schema;
}

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

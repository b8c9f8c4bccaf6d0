import * as v from "valibot";
import { isObject, ownMember } from "../../../schemas/values/json-values.ts";
import type { OutputSchema } from "../../define/agent.ts";
import type { Registry } from "../../define/registry.ts";
import { compileSchema } from "../../tool/compile-schema.ts";
import { adopt, schemaOf } from "../../tool/declared-schema.ts";
import type { Unresolved } from "./built.ts";

type Resolved<S> = { readonly schema?: S } & Partial<Unresolved>;

/** The schema of an answer: a JSON Schema, or the name of a registered schema. */
export async function resolveOutputSchema(
  config: unknown,
  registry: Registry,
): Promise<Resolved<OutputSchema>> {
  if (!isObject(config)) return resolveNamed("output_schema", config, registry);
  const compiled = await compileSchema(config);
  return compiled.usable ? { schema: config } : { error: `output_schema cannot be used: ${compiled.reason}` };
}

/** The same for an input message. */
export async function resolveInputSchema(
  config: unknown,
  registry: Registry,
): Promise<Resolved<v.GenericSchema>> {
  if (!isObject(config)) return resolveNamed("input_schema", config, registry);
  const compiled = await compileSchema(config);
  if (!compiled.usable) return { error: `input_schema cannot be used: ${compiled.reason}` };
  const check = v.rawCheck<unknown>(({ dataset, addIssue }) => {
    const message = compiled.check(dataset.value);
    if (message !== undefined) addIssue({ message });
  });
  return { schema: adopt(config, v.pipe(v.unknown(), check), () => config) };
}

function resolveNamed(what: string, name: unknown, { parts }: Registry): Resolved<v.GenericSchema> {
  if (name === undefined || name === null) return {};
  if (typeof name !== "string")
    return { error: `${what} must be a JSON Schema or the name of a registered one` };
  const schema = ownMember(parts?.schemas ?? {}, name);
  return schema
    ? { schema: schemaOf(`the schema ${name}`, schema) }
    : { error: `schema ${name} is not registered`, error_code: "NOT_FOUND" };
}

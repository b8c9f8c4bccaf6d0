import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { document, type JsonSchema } from "./document.ts";

const ID = "openapi:/";

/**
 * What is wrong with a value, by a schema of the document; undefined where nothing is. Schemas are compiled the first time
 * they are asked for.
 */
export type Check = (value: unknown) => string | undefined;

/** For answers: a member that is not described is wrong. */
export const checkOf = checksBy(closed);

/** For requests: members that are not described are as JSON Schema has them. */
export const openCheckOf = checksBy((schema) => schema);

function checksBy(prepared: (schema: unknown) => unknown): (schema: JsonSchema) => Check {
  const ajv = new Ajv2020({ strict: false, allErrors: false, inlineRefs: false });
  // The package types its default export as a namespace.
  (addFormats as unknown as (to: Ajv2020) => void)(ajv);
  ajv.addFormat("binary", true);
  ajv.addSchema({ $id: ID, components: prepared(document.components) });
  /** By the schema as text: many parameters are described in the same words. */
  const checks = new Map<string, Check>();
  return (schema) => {
    const text = JSON.stringify(schema);
    const known = checks.get(text);
    if (known) return known;
    const validate = ajv.compile(absolute(prepared(schema)) as JsonSchema);
    const check: Check = (value) =>
      validate(value)
        ? undefined
        : ajv.errorsText(validate.errors?.slice(0, 3), { dataVar: "" }).slice(0, 600);
    checks.set(text, check);
    return check;
  };
}

/** A schema, or the component that it references. */
export function resolved(schema: JsonSchema): JsonSchema {
  const { $ref } = schema;
  if (typeof $ref !== "string") return schema;
  return document.components.schemas[$ref.split("/").at(-1) ?? ""] ?? {};
}

/** With every object that names its members taking no others, where nothing is said of others. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const members = Object.entries(schema).map(([name, value]) => [
    name,
    name === "example" || name === "default" || name === "enum" || name === "const" ? value : closed(value),
  ]);
  const within: Record<string, unknown> = Object.fromEntries(members);
  const names = within.type === "object" && "properties" in within && !("additionalProperties" in within);
  return names ? { ...within, additionalProperties: false } : within;
}

/** With references that lead to the document from anywhere. */
function absolute(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(absolute);
  if (typeof schema !== "object" || schema === null) return schema;
  const members = Object.entries(schema).map(([name, value]) => [
    name,
    name === "$ref" && typeof value === "string" && value.startsWith("#") ? `${ID}${value}` : absolute(value),
  ]);
  return Object.fromEntries(members);
}

import {
  type ConversionConfig,
  type JsonSchema,
  toJsonSchema,
  toJsonSchemaDefs,
} from "@valibot/to-json-schema";
import type { Schema } from "../routes/route.ts";
import { jsonTextOf } from "../schemas/values/described-as.ts";
import { namedSchemas, type SchemaName } from "./named-schemas.ts";
import { pointerTo } from "./references.ts";
import type { Part } from "./tagged-choice.ts";

const conversion = {
  target: "draft-2020-12",
  // Custom checks, which JSON Schema cannot express, are left out here; requests are validated by them nevertheless.
  errorMode: "ignore",
  overrideRef: ({ referenceId }) => pointerTo(referenceId),
  overrideAction: ({ valibotAction, jsonSchema }) => declaredSchema(valibotAction, jsonSchema),
  overrideSchema: ({ valibotSchema, jsonSchema }) =>
    // Objects that accept any member say so: without it, readers of the document expect no others.
    valibotSchema.type === "loose_object"
      ? { ...jsonSchema, additionalProperties: true }
      : withTypedDefault(jsonSchema),
} as const satisfies ConversionConfig;

/** A schema as JSON Schema; named schemas are referenced. */
export function jsonSchemaOf(schema: Schema): JsonSchema {
  // Each is converted again with every schema: with all of them, the document would take 1.5 s of processor time.
  const definitions = Object.fromEntries(namedIn(schema).map((name) => [name, namedSchemas[name]]));
  const { $schema: _, $defs: __, ...converted } = toJsonSchema(schema, { ...conversion, definitions });
  return converted;
}

const names = new Map<unknown, SchemaName>(
  Object.entries(namedSchemas).map(([name, schema]) => [schema, name as SchemaName]), // keys of the table
);

/** The named schemas that a schema consists of, without those that are within these. */
function namedIn(part: unknown, seen = new Set<unknown>()): SchemaName[] {
  if (typeof part !== "object" || part === null || seen.has(part)) return [];
  seen.add(part);
  const name = names.get(part);
  if (name !== undefined) return [name];
  return Object.values(part).flatMap((one) => namedIn(one, seen));
}

/** The named schemas themselves, by name. */
export const componentSchemas = (): Record<string, Part> =>
  Object.fromEntries(
    Object.entries(toJsonSchemaDefs(namedSchemas, conversion)).map(([name, schema]) => [name, { ...schema }]),
  );

export const referenceTo = (name: SchemaName) => ({ $ref: pointerTo(name) });

/**
 * A field that is parsed from text declares its JSON Schema itself, as `metadata({ jsonSchema })`, which may be a function
 * that adds to the converted one; one that is read more
 * freely than it is written shows the named schema of what is written, as `metadata({ describedBy })`; text that holds JSON
 * names the schema of its content, as `metadata({ holds })`.
 */
function declaredSchema(action: { type: string; metadata?: unknown }, converted: JsonSchema): JsonSchema {
  const { metadata } = action;
  if (action.type !== "metadata" || typeof metadata !== "object" || metadata === null) return converted;
  if ("describedBy" in metadata) return referenceTo(nameOf(metadata.describedBy));
  if ("holds" in metadata) return jsonTextOf({ ...jsonSchemaOf(metadata.holds as Schema) }); // as forms have it
  if (!("jsonSchema" in metadata)) return converted;
  const { jsonSchema } = metadata;
  const declared = typeof jsonSchema === "function" ? jsonSchema(converted) : jsonSchema;
  const members = Object.entries<JsonSchema>(declared ?? {}).filter(([, value]) => value !== undefined);
  return Object.fromEntries(members);
}

function nameOf(schema: unknown): SchemaName {
  const found = names.get(schema);
  if (found === undefined) throw new Error("describedBy takes one of the named schemas");
  return found;
}

/** Defaults of such fields are text; the document needs them in the declared type. */
function withTypedDefault(schema: JsonSchema): JsonSchema {
  if (typeof schema.default !== "string") return schema;
  if (schema.type === "integer") return { ...schema, default: Number(schema.default) };
  if (schema.type === "boolean") return { ...schema, default: schema.default === "true" };
  return schema;
}

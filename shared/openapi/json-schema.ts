import {
  type ConversionConfig,
  type JsonSchema,
  toJsonSchema,
  toJsonSchemaDefs,
} from "@valibot/to-json-schema";
import type { Schema } from "../routes/route.ts";
import { namedSchemas, type SchemaName } from "./named-schemas.ts";

const pointerTo = (name: string): string => `#/components/schemas/${name}`;

const conversion = {
  target: "draft-2020-12",
  // What JSON Schema cannot say (a custom check) is left out here; it is checked all the same.
  errorMode: "ignore",
  overrideRef: ({ referenceId }) => pointerTo(referenceId),
  overrideAction: ({ valibotAction, jsonSchema }) => declaredSchema(valibotAction, jsonSchema),
  overrideSchema: ({ valibotSchema, jsonSchema }) =>
    // Said of objects that take any member: without a word of others, readers of a document expect none.
    valibotSchema.type === "loose_object"
      ? { ...jsonSchema, additionalProperties: true }
      : withTypedDefault(jsonSchema),
} as const satisfies ConversionConfig;

/** A schema as the document writes it; what is named is referred to. */
export function jsonSchemaOf(schema: Schema): JsonSchema {
  const {
    $schema: _,
    $defs: __,
    ...converted
  } = toJsonSchema(schema, { ...conversion, definitions: namedSchemas });
  return converted;
}

/** The named schemas themselves, by name. */
export const componentSchemas = (): Record<string, JsonSchema> => toJsonSchemaDefs(namedSchemas, conversion);

export const referenceTo = (name: SchemaName) => ({ $ref: pointerTo(name) });

/** A field that is parsed from text says itself, as `metadata({ jsonSchema })`, what it looks like. */
function declaredSchema(action: { type: string; metadata?: unknown }, converted: JsonSchema): JsonSchema {
  const { metadata } = action;
  if (action.type !== "metadata" || typeof metadata !== "object" || metadata === null) return converted;
  if (!("jsonSchema" in metadata)) return converted;
  const members = Object.entries(metadata.jsonSchema ?? {}).filter(([, value]) => value !== undefined);
  return Object.fromEntries(members);
}

/** Defaults of such fields are text; clients expect the type that is described. */
function withTypedDefault(schema: JsonSchema): JsonSchema {
  if (typeof schema.default !== "string") return schema;
  if (schema.type === "integer") return { ...schema, default: Number(schema.default) };
  if (schema.type === "boolean") return { ...schema, default: schema.default === "true" };
  return schema;
}

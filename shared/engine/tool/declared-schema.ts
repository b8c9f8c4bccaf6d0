import type { JSONSchema7 } from "@ai-sdk/provider";
import { type OutputUnit, type Schema, Validator } from "@cfworker/json-schema";
import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import { toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { isObject } from "../../schemas/values/json-values.ts";

export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * How a project may write a schema: by any library of the Standard Schema that can also write it as a JSON Schema (valibot,
 * zod 4, arktype), or as a JSON Schema.
 *
 * @source https://standardschema.dev/schema and https://standardschema.dev/json-schema
 */
export type DeclaredSchema<Value = unknown> = StandardSchemaV1<unknown, Value> | JsonSchema;

/** A schema of an object, such as the arguments of a tool. */
export type ObjectSchema =
  | StandardSchemaV1<Record<string, unknown>, Record<string, unknown>>
  | (JsonSchema & { readonly type: "object" });

/** What a schema lets pass, as the code behind it gets it. A JSON Schema says nothing that the compiler could read. */
export type ValueOf<S> = S extends StandardSchemaV1
  ? StandardSchemaV1.InferOutput<S>
  : Record<string, unknown>;

/**
 * A declared schema in the form that the platform works with. The same declaration gives the same schema.
 *
 * @param what  it is the schema of, as a message names it: `the parameters of the tool roll_dice`
 * @throws Error that says what may be written instead
 */
export function schemaOf(what: string, declared: unknown): v.GenericSchema {
  if (isStandard(declared) && declared["~standard"].vendor === "valibot") return declared as v.GenericSchema;
  const known = isReference(declared) ? adopted.get(declared) : undefined;
  if (known) return known;
  if (isStandard(declared)) {
    if (!isWritable(declared)) throw new Error(unwritable(what, declared));
    return adopt(declared, standardSchema(what, declared), () => jsonOf(what, declared));
  }
  if (isJsonSchema(declared)) return adopt(declared, jsonSchema(declared), () => declared);
  throw new Error(
    `${what} must be a schema of valibot, zod 4, arktype or another library of the Standard Schema, or a JSON Schema.`,
  );
}

/**
 * A schema as a JSON Schema, without checks that JSON Schema cannot express: what a model or a client is shown.
 *
 * @throws Error when its library cannot write it so
 */
export function jsonSchemaOf(schema: v.GenericSchema): JSONSchema7 {
  const known = converted.get(schema);
  if (known) return known;
  const { $schema: _, ...written } =
    (schema as Written)[WRITE]?.() ?? toJsonSchema(schema, { typeMode: "input", errorMode: "ignore" });
  const result = written as JSONSchema7; // of whatever library, it is what the term promises
  converted.set(schema, result);
  return result;
}

/** A member of the schema: the process that describes a registry has a copy of this module of its own. */
const WRITE = Symbol.for("agent-platform.write-json-schema");
type Written = v.GenericSchema & { readonly [WRITE]?: () => JsonSchema };

const adopted = new WeakMap<object, v.GenericSchema>();
const converted = new WeakMap<v.GenericSchema, JSONSchema7>();

/** Keeps how a schema is written as a JSON Schema, which it does not say itself. @returns the schema */
export function adopt(declared: object, schema: v.GenericSchema, write: () => JsonSchema): v.GenericSchema {
  const written: Written = Object.assign(schema, { [WRITE]: write });
  adopted.set(declared, written);
  return written;
}

type Writable = StandardSchemaV1 & StandardJSONSchemaV1;

const isReference = (value: unknown): value is object =>
  (typeof value === "object" && value !== null) || typeof value === "function";

const isStandard = (value: unknown): value is StandardSchemaV1 => isReference(value) && "~standard" in value;

const isWritable = (schema: StandardSchemaV1): schema is Writable => "jsonSchema" in schema["~standard"];

const unwritable = (what: string, schema: StandardSchemaV1): string =>
  `${what} is written with a version of ${schema["~standard"].vendor} that cannot write it as a JSON Schema; take a newer one, or write a JSON Schema.`;

/** Words of which a JSON Schema of some use has one. */
const WORDS = [
  "type",
  "properties",
  "enum",
  "const",
  "$ref",
  "anyOf",
  "oneOf",
  "allOf",
  "not",
  "if",
  "items",
];

export const isJsonSchema = (value: unknown): value is JsonSchema =>
  isObject(value) &&
  [Object.prototype, null].includes(Object.getPrototypeOf(value)) &&
  WORDS.some((word) => Object.hasOwn(value, word));

function jsonOf(what: string, { "~standard": standard }: Writable): JsonSchema {
  try {
    return standard.jsonSchema.input({ target: "draft-2020-12" });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${what} cannot be written as a JSON Schema: ${reason}`, { cause });
  }
}

function standardSchema(what: string, schema: StandardSchemaV1): v.GenericSchema {
  return v.pipe(
    v.unknown(),
    v.rawTransform<unknown, unknown>(({ dataset: { value }, addIssue, NEVER }) => {
      const result = schema["~standard"].validate(value);
      if (result instanceof Promise) {
        addIssue({ message: `${what} has an asynchronous check, which cannot be waited for here` });
        return NEVER;
      }
      if (!result.issues) return result.value;
      for (const { message, path = [] } of result.issues) {
        addIssue(
          placed(
            message,
            path.map((part) => (typeof part === "object" ? part.key : part)),
            value,
          ),
        );
      }
      return NEVER;
    }),
  );
}

function jsonSchema(schema: JsonSchema): v.GenericSchema {
  let validator: Validator | undefined;
  const check = v.rawCheck<unknown>(({ dataset: { value }, addIssue }) => {
    // Made once, when the first value is checked.
    validator ??= new Validator(schema as Schema, "2020-12", false);
    const { errors } = validator.validate(value);
    for (const error of errors.filter((one) => isLeaf(one, errors)))
      addIssue(placed(error.error, pathOf(error), value));
  });
  return v.pipe(v.unknown(), check);
}

/** Whether an error is not only there because of one within it. */
const isLeaf = ({ keyword, keywordLocation }: OutputUnit, all: readonly OutputUnit[]): boolean =>
  keyword !== "false" && !all.some((other) => other.keywordLocation.startsWith(`${keywordLocation}/`));

/** Where the mistake is: a member that is missing has no place of its own. */
function pathOf({ keyword, error, instanceLocation }: OutputUnit): string[] {
  const path = instanceLocation
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  const [, missing] = keyword === "required" ? (/"(.*)"/.exec(error) ?? []) : [];
  return missing === undefined ? path : [...path, missing];
}

/** An issue at a place within a value, as valibot has it. */
function placed(message: string, keys: readonly PropertyKey[], whole: unknown) {
  const path = keys.map(
    (key): v.UnknownPathItem => ({ type: "unknown", origin: "value", input: whole, key, value: undefined }),
  );
  const [first, ...rest] = path;
  return { message, ...(first && { path: [first, ...rest] as [v.UnknownPathItem, ...v.UnknownPathItem[]] }) };
}

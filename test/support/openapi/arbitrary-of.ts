import fc from "fast-check";
import { document, type JsonSchema } from "./document.ts";

const DEPTH = 4;

/** Texts that are troublesome somewhere: in keys, in numbers, in prototypes, in logs. */
const troublesome = [
  "",
  " ",
  "0",
  "-1",
  "null",
  "__proto__",
  "constructor",
  "ÆØÅ 日本語 🚂",
  "\u0000",
  "\ud800",
  "a".repeat(300),
  "é".repeat(1100),
  "../../etc/passwd",
  "{}",
  "'\"\\\n\t",
  "2026-03-04T09:15:00Z",
  "99999999999999999999",
];

const text = fc.oneof(
  { weight: 4, arbitrary: fc.stringMatching(/^[a-z][a-z0-9 -]{0,14}$/) },
  { weight: 2, arbitrary: fc.string({ maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 20 }) },
  { weight: 2, arbitrary: fc.constantFrom(...troublesome) },
);

export const anything = fc.jsonValue({ maxDepth: 3 });
export const anyText = text;

type Maker = (schema: JsonSchema, depth: number) => fc.Arbitrary<unknown>;

/** Values that a schema of the document allows. */
export const arbitraryOf: Maker = (schema, depth = DEPTH) => {
  const { $ref, const: only, enum: several, anyOf, oneOf, type } = schema;
  if (typeof $ref === "string") return referred($ref, depth);
  if (only !== undefined) return fc.constant(only);
  if (Array.isArray(several)) return fc.constantFrom(...several);
  const options = anyOf ?? oneOf;
  // The members of a list of schemas are schemas.
  if (Array.isArray(options)) return fc.oneof(...options.map((one) => arbitraryOf(one as JsonSchema, depth)));
  return (makers[String(type)] ?? (() => anything))(schema, depth);
};

function referred($ref: string, depth: number): fc.Arbitrary<unknown> {
  const schema = document.components.schemas[$ref.split("/").at(-1) ?? ""];
  return schema && depth > 0 ? arbitraryOf(schema, depth - 1) : anything;
}

const makers: Readonly<Record<string, Maker>> = {
  null: () => fc.constant(null),
  boolean: () => fc.boolean(),
  integer: ({ minimum, maximum }) => integers(minimum, maximum),
  number: ({ minimum, maximum }) =>
    fc.oneof(integers(minimum, maximum), fc.double({ min: 0, max: 1, noNaN: true })),
  string: strings,
  array: ({ items, minItems, maxItems }, depth) =>
    fc.array(depth > 0 && isSchema(items) ? arbitraryOf(items, depth - 1) : anything, {
      minLength: Number(minItems ?? 0),
      maxLength: Math.max(Number(minItems ?? 0), Math.min(Number(maxItems ?? 3), 3)),
    }),
  object: objects,
};

function integers(minimum: unknown, maximum: unknown): fc.Arbitrary<number> {
  const min = typeof minimum === "number" ? Math.ceil(minimum) : -2_147_483_648;
  const max = typeof maximum === "number" ? maximum : 2_147_483_647;
  return fc.oneof(fc.integer({ min, max: Math.min(max, min + 20) }), fc.constantFrom(min, max));
}

function strings({ minLength = 0, maxLength = 10_000, pattern, format, contentMediaType }: JsonSchema) {
  if (format === "binary") return fc.string({ maxLength: 200 });
  if (format === "date") return fc.constantFrom("2026-03-04", "2024-02-29", "1970-01-01", "2999-12-31");
  if (contentMediaType === "application/json") return fc.json({ maxDepth: 3 });
  if (typeof pattern === "string") {
    return fc.stringMatching(new RegExp(pattern, "u")).map((one) => one.slice(0, Number(maxLength)));
  }
  const fits = (one: string) => one.length >= Number(minLength) && one.length <= Number(maxLength);
  return text.map((one) => (fits(one) ? one : "x".repeat(Math.max(1, Number(minLength)))));
}

function objects({ properties, required, additionalProperties }: JsonSchema, depth: number) {
  const described = isSchema(properties) ? Object.entries(properties) : [];
  const names: string[] = Array.isArray(required) ? required : [];
  if (described.length === 0) {
    const value =
      isSchema(additionalProperties) && depth > 0 ? arbitraryOf(additionalProperties, depth - 1) : anything;
    return fc.dictionary(text, value, { maxKeys: 3, noNullPrototype: true });
  }
  const members = described.map(([name, schema]): [string, fc.Arbitrary<unknown>] => [
    name,
    depth > 0 && isSchema(schema) ? arbitraryOf(schema, depth - 1) : anything,
  ]);
  return fc.record(Object.fromEntries(members), { requiredKeys: names, noNullPrototype: true });
}

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

import * as v from "valibot";

type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * A value that its handler validates, because its faults are not answered with 422; the interface describes it as given.
 * The type stays that of the schema.
 */
export const describedAs = <Taken extends v.GenericSchema>(taken: Taken, jsonSchema: JsonSchema): Taken =>
  v.pipe(taken, v.metadata({ jsonSchema })) as unknown as Taken; // metadata changes no value

/** JSON that travels as text in a form. @param contentSchema  what it holds */
export const jsonTextOf = (contentSchema: JsonSchema): JsonSchema => ({
  type: "string",
  contentMediaType: "application/json",
  contentSchema,
});

/** A field with what it means, for the interface description. */
export const meaning = <Field extends v.GenericSchema>(field: Field, description: string): Field =>
  v.pipe(field, v.description(description)) as unknown as Field; // a description changes no value

/**
 * Null, of a member that has values elsewhere, or in what others serve. The interface describes it as a value or null: clients in
 * other languages have no type whose one value is null.
 */
export const nullFor = (value: JsonSchema) => describedAs(v.null(), { anyOf: [value, { type: "null" }] });

import type * as v from "valibot";

/** The schema of an answer: a valibot schema, or a JSON Schema. Its `title` names the answer's type. */
export type OutputSchema = v.GenericSchema | Readonly<Record<string, unknown>>;

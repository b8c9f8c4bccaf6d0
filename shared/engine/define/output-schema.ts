import type * as v from "valibot";

/** What an answer must be: a valibot schema, or a JSON Schema. Its `title` names the answer's type. */
export type OutputSchema = v.GenericSchema | Readonly<Record<string, unknown>>;

import type { Schema } from "../../routes/route.ts";

/** Texts by name, as a query or a form carries them; with files among them where a form takes files. */
export type TextFields<Value = string> = Record<string, Value | Value[]>;

/**
 * Collects named texts into what a schema expects: a list where its entry is an array, else the last one sent.
 * Names that the schema does not have stay in; a field without a name is ignored.
 *
 * @param schema  an object schema, possibly piped; without entries every field is read as single
 */
export function textFields<Value>(
  pairs: Iterable<readonly [string, Value]>,
  schema: Schema | undefined,
): TextFields<Value> {
  const entries = entriesOf(schema);
  const fields = new Map<string, Value | Value[]>();
  for (const [name, text] of pairs) {
    if (name === "") continue;
    const earlier = fields.get(name);
    if (!isList(entries.get(name))) fields.set(name, text);
    else if (Array.isArray(earlier)) earlier.push(text);
    else fields.set(name, [text]);
  }
  // From entries, a field called __proto__ becomes an ordinary member.
  return Object.fromEntries(fields);
}

/** Whether a schema names a field. */
export const hasField = (schema: Schema, name: string): boolean => entriesOf(schema).has(name);

/** A field as curl would send it: the first that is required, else the first. */
export function exampleField(schema: Schema): string {
  const entries = [...entriesOf(schema)];
  const [name = "field"] =
    entries.find(([, entry]) => isSchema(entry) && !isOptional(entry)) ?? entries[0] ?? [];
  return `${name}='…'`;
}

const isOptional = ({ type }: Introspected): boolean => /^(exact_)?optional$|^nullish$/.test(type);

type Introspected = { type: string; wrapped?: unknown; entries?: unknown };
const isSchema = (value: unknown): value is Introspected =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";

function entriesOf(schema: unknown): ReadonlyMap<string, unknown> {
  const entries = isSchema(schema) ? schema.entries : undefined;
  return new Map(typeof entries === "object" && entries !== null ? Object.entries(entries) : []);
}

/** Looks through optional and nullable to the schema itself. */
function isList(schema: unknown): boolean {
  if (!isSchema(schema)) return false;
  return schema.type === "array" || isList(schema.wrapped);
}

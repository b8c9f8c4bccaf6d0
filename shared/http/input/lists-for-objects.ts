import type { Schema } from "../../routes/route.ts";
import { isObject } from "../../schemas/values/json-values.ts";

/** A list where a schema has an object: the names that lead to it. */
export type MisplacedList = { readonly path: readonly (string | number)[]; readonly input: unknown };

/**
 * The lists of a value that stand where its schema has an object. Valibot takes a list for an object without members, so
 * that members which may be left out, such as a guard, would be dropped silently.
 */
export function listsForObjects(
  schema: Schema,
  input: unknown,
  path: MisplacedList["path"] = [],
): MisplacedList[] {
  const { wrapped, entries, item, options } = schema as Introspected;
  if (input === undefined || input === null) return [];
  if (wrapped) return listsForObjects(wrapped, input, path);
  if (options) return inEvery(options, input, path);
  if (entries) {
    if (Array.isArray(input)) return [{ path, input }];
    if (!isObject(input)) return [];
    return Object.entries(entries).flatMap(([name, member]) =>
      Object.hasOwn(input, name) ? listsForObjects(member, input[name], [...path, name]) : [],
    );
  }
  if (item && Array.isArray(input)) {
    return input.flatMap((one, at) => listsForObjects(item, one, [...path, at]));
  }
  return [];
}

/** The parts of a schema that lead to others; what a pipe begins with has them too. */
type Introspected = {
  /** Of what may be left out, or null. */
  readonly wrapped?: Schema;
  readonly entries?: Readonly<Record<string, Schema>>;
  readonly item?: Schema;
  readonly options?: readonly (Schema | string)[];
};

/** Of alternatives, only what fits into none of them. The values of a list of choices are no schemas. */
function inEvery(
  options: readonly (Schema | string)[],
  input: unknown,
  path: MisplacedList["path"],
): MisplacedList[] {
  const found = options.map((one) => (isObject(one) ? listsForObjects(one as Schema, input, path) : []));
  return found.every((lists) => lists.length > 0) ? (found[0] ?? []) : [];
}

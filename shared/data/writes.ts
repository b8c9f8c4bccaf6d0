import type { TableName } from "../settings/table-env.ts";
import type { Connection } from "./connection.ts";
import { conditionOf, type Guard, type Placeholders, placeholders } from "./guard.ts";
import type { Item, Key } from "./item.ts";

/** One write to one item, as data: it is sent alone (`write`) or with others (`transact`). */
export type Write = Put | Update | Delete | Check;

type Guarded = { readonly table: TableName; readonly guard?: Guard | undefined };
export type Put = Guarded & { readonly kind: "put"; readonly item: Item };
export type Update = Guarded & Changes & { readonly kind: "update"; readonly key: Key };
export type Delete = Guarded & { readonly kind: "delete"; readonly key: Key };
/** Writes nothing: its guard is a condition of the transaction. */
export type Check = Guarded & { readonly kind: "check"; readonly key: Key; readonly guard: Guard };

/** What an update changes of an item; all else stays. */
export type Changes = {
  /** By attribute: its value or how that is computed; `undefined` removes the attribute. */
  readonly set?: Readonly<Record<string, unknown>>;
  readonly remove?: readonly string[];
  /** Added to numbers, from 0 where there is none, and to sets. */
  readonly add?: Readonly<Record<string, number | ReadonlySet<string>>>;
};

/** Of changes those that have a value, for callers to whom undefined says that an attribute stays. */
export const given = (changes: Item): Item =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));

/** Writes a whole item in place of the one with its key. */
export const putItem = (table: TableName, item: Item, guard?: Guard): Put => ({
  kind: "put",
  table,
  item,
  guard,
});

/** Changes attributes of an item, which is created where there is none, unless its guard refuses that. */
export const updateItem = (
  table: TableName,
  key: Key,
  { guard, ...changes }: Changes & { readonly guard?: Guard | undefined },
): Update => ({ kind: "update", table, key, ...changes, guard });

export const deleteItem = (table: TableName, key: Key, guard?: Guard): Delete => ({
  kind: "delete",
  table,
  key,
  guard,
});

export const checkItem = (table: TableName, key: Key, guard: Guard): Check => ({
  kind: "check",
  table,
  key,
  guard,
});

/** The same write, refused also when a further guard does not hold. */
export const guardedBy = <W extends Write>(write: W, guard: Guard): W => ({
  ...write,
  guard: write.guard ? [write.guard, guard] : guard,
});

/** How the value of an attribute follows from what is stored. */
class Computed {
  /** Writes the assignments of an attribute. @param name placeholder of the attribute's name */
  readonly write: (name: string, attribute: string, placeholders: Placeholders) => string;

  constructor(write: Computed["write"]) {
    this.write = write;
  }
}

/** The value that there is, or this one where there is none. */
export const ifAbsent = (value: unknown): Computed =>
  new Computed(
    (name, attribute, { value: bind }) => `${name} = if_not_exists(${name}, ${bind(attribute, value)})`,
  );

/** The number that there is, and this. @param from what a missing one counts as; without it the write fails */
export const plus = (by: number, from?: number): Computed =>
  new Computed((name, attribute, { value: bind }) => {
    const before = from === undefined ? name : `if_not_exists(${name}, ${bind(`${attribute}_from`, from)})`;
    return `${name} = ${before} + ${bind(`${attribute}_more`, by)}`;
  });

/** The list that there is, and these after it. */
export const appended = (values: readonly unknown[]): Computed =>
  new Computed(
    (name, attribute, { value: bind }) => `${name} = list_append(${name}, ${bind(attribute, values)})`,
  );

/** Sets members of a map, whose others stay. There must be a map. */
export const members = (changes: Readonly<Record<string, unknown>>): Computed =>
  new Computed((name, _attribute, { member: refer, value: bind }) =>
    Object.entries(changes)
      .map(([member, value]) => `${name}.${refer(member)} = ${bind("", value)}`)
      .join(", "),
  );

/**
 * Spells a write in the service's own words, as an entry of a transaction; its member is also the input of a single
 * write. A refused one says what it saw.
 */
export function requestOf({ tables }: Pick<Connection, "tables">, write: Write) {
  const refs = placeholders();
  const TableName = tables[write.table];
  switch (write.kind) {
    case "put":
      return { Put: { TableName, Item: write.item, ...guardOf(write.guard, refs) } };
    case "delete":
      return { Delete: { TableName, Key: write.key, ...guardOf(write.guard, refs) } };
    case "check":
      return { ConditionCheck: { TableName, Key: write.key, ...checkOf(write.guard, refs) } };
    case "update": {
      const UpdateExpression = updateOf(write, refs);
      return { Update: { TableName, Key: write.key, UpdateExpression, ...guardOf(write.guard, refs) } };
    }
  }
}

/** After the update, so that the placeholders of its values are called what they are. */
function guardOf(guard: Guard | undefined, refs: Placeholders) {
  const ConditionExpression = guard && conditionOf(guard, refs);
  return {
    ...(ConditionExpression !== undefined && {
      ConditionExpression,
      ReturnValuesOnConditionCheckFailure: "ALL_OLD" as const,
    }),
    ...refs.parameters(),
  };
}

function checkOf(guard: Guard, refs: Placeholders) {
  const { ConditionExpression, ...parameters } = guardOf(guard, refs);
  if (ConditionExpression === undefined) throw new Error("a check without a condition checks nothing");
  return { ConditionExpression, ...parameters };
}

function updateOf({ set = {}, remove = [], add = {} }: Changes, refs: Placeholders): string {
  const entries = Object.entries(set);
  const assigned = entries.filter(([, value]) => value !== undefined);
  const removed = [...entries.filter(([, value]) => value === undefined).map(([name]) => name), ...remove];
  const assignments = assigned.map(([attribute, value]) => {
    const name = refs.name(attribute);
    if (value instanceof Computed) return value.write(name, attribute, refs);
    return `${name} = ${refs.value(attribute, value)}`;
  });
  const additions = Object.entries(add).map(
    ([attribute, value]) => `${refs.name(attribute)} ${refs.value(attribute, value)}`,
  );
  const removals = [...new Set(removed)].map(refs.name);
  const clauses = [clause("SET", assignments), clause("ADD", additions), clause("REMOVE", removals)].filter(
    (part) => part !== undefined,
  );
  if (clauses.length === 0) throw new Error("an update changes nothing");
  return clauses.join(" ");
}

const clause = (verb: string, parts: readonly string[]): string | undefined =>
  parts.length > 0 ? `${verb} ${parts.join(", ")}` : undefined;

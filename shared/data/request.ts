import type { Connection } from "./connection.ts";
import { conditionOf, type Guard } from "./guard.ts";
import { type Placeholders, placeholders } from "./placeholders.ts";
import { type Changes, Computed, type Write } from "./writes.ts";

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

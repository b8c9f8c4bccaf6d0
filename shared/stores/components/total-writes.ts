import { audienceOf } from "../../domain/components/audience.ts";
import type { ComponentRecord } from "../../schemas/components/component-record.ts";
import type { Db } from "../db.ts";
import type { Write } from "../transact.ts";
import { stateOf } from "./component-item.ts";
import { type Counted, countKey, countOf } from "./component-keys.ts";

/** The entries that update the totals of the lists when a component moves to another state or audience. */
export function countEntries(db: Db, before: ComponentRecord | undefined, after: ComponentRecord): Write[] {
  const places = new Map<Counted, Map<string, number>>();
  const count = (component: ComponentRecord, by: number) => {
    const name = countOf(stateOf(component), component.component_type);
    for (const counted of ["all", audienceOf(component)] as const) {
      const names = places.get(counted) ?? new Map<string, number>();
      places.set(counted, names.set(name, (names.get(name) ?? 0) + by));
    }
  };
  if (before) count(before, -1);
  count(after, 1);
  return [...places].flatMap(
    ([counted, names]) => addCounts(db, countKey(counted, after.component_id), names) ?? [],
  );
}

function addCounts(
  db: Db,
  Key: Record<string, string>,
  names: ReadonlyMap<string, number>,
): Write | undefined {
  const moves = [...names].filter(([, by]) => by !== 0);
  if (moves.length === 0) return undefined;
  return {
    Update: {
      TableName: db.tables.components,
      Key,
      UpdateExpression: `ADD ${moves.map(([name], i) => `${name} :n${i}`).join(", ")}`,
      ExpressionAttributeValues: Object.fromEntries(moves.map(([, by], i) => [`:n${i}`, by])),
    },
  };
}

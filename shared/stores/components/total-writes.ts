import type { Key } from "../../data/item.ts";
import { updateItem, type Write } from "../../data/writes.ts";
import { audienceOf } from "../../domain/components/audience.ts";
import type { ComponentRecord } from "../../schemas/components/component-record.ts";
import { stateOf } from "./component-item.ts";
import { type Counted, countKey, countOf } from "./component-keys.ts";

/** The writes that update the totals of the lists when a component moves to another state or audience. */
export function totalWrites(before: ComponentRecord | undefined, after: ComponentRecord): Write[] {
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
    ([counted, names]) => addCounts(countKey(counted, after.component_id), names) ?? [],
  );
}

function addCounts(key: Key, names: ReadonlyMap<string, number>): Write | undefined {
  const moves = [...names].filter(([, by]) => by !== 0);
  if (moves.length === 0) return undefined;
  return updateItem("components", key, { add: Object.fromEntries(moves) });
}

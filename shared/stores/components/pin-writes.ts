import { updateItem, type Write } from "../../data/writes.ts";
import type { ComponentChange } from "../../domain/components/component-change.ts";
import { pinsKey, pinsOf } from "./component-keys.ts";

/** Updates each child's reference counts by the added and removed links; unchanged counts are not written. */
export function pinWrites({ pinned, unpinned }: ComponentChange): Write[] {
  const byChild = new Map<string, Map<number, number>>();
  const count = (id: string, version: number, by: number) => {
    const versions = byChild.get(id) ?? new Map<number, number>();
    byChild.set(id, versions.set(version, (versions.get(version) ?? 0) + by));
  };
  for (const link of pinned) count(link.child_component_id, link.child_version, 1);
  for (const link of unpinned) count(link.child_component_id, link.child_version, -1);
  return [...byChild].flatMap(([id, versions]) => addPins(id, versions) ?? []);
}

function addPins(id: string, versions: ReadonlyMap<number, number>): Write | undefined {
  const moves = [...versions].filter(([, by]) => by !== 0);
  if (moves.length === 0) return undefined;
  const total = moves.reduce((sum, [, by]) => sum + by, 0);
  return updateItem("components", pinsKey(id), {
    add: { total, ...Object.fromEntries(moves.map(([version, by]) => [pinsOf(version), by])) },
  });
}

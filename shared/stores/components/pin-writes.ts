import type { ComponentChange } from "../../domain/components/component-change.ts";
import type { Db } from "../db.ts";
import type { Write } from "../transact.ts";
import { pinsKey, pinsOf } from "./component-keys.ts";

/** Updates each child's reference counts by the added and removed links; unchanged counts are not written. */
export function pinEntries(db: Db, { pinned, unpinned }: ComponentChange): Write[] {
  const byChild = new Map<string, Map<number, number>>();
  const count = (id: string, version: number, by: number) => {
    const versions = byChild.get(id) ?? new Map<number, number>();
    byChild.set(id, versions.set(version, (versions.get(version) ?? 0) + by));
  };
  for (const link of pinned) count(link.child_component_id, link.child_version, 1);
  for (const link of unpinned) count(link.child_component_id, link.child_version, -1);
  return [...byChild].flatMap(([id, versions]) => addPins(db, id, versions) ?? []);
}

function addPins(db: Db, id: string, versions: ReadonlyMap<number, number>): Write | undefined {
  const moves = [...versions].filter(([, by]) => by !== 0);
  if (moves.length === 0) return undefined;
  const total = moves.reduce((sum, [, by]) => sum + by, 0);
  const adds = moves.map(([version, by]) => [pinsOf(version), by] as const);
  const values = [["total", total] as const, ...adds];
  return {
    Update: {
      TableName: db.tables.components,
      Key: pinsKey(id),
      UpdateExpression: `ADD ${values.map((_, i) => `#n${i} :n${i}`).join(", ")}`,
      ExpressionAttributeNames: Object.fromEntries(values.map(([name], i) => [`#n${i}`, name])),
      ExpressionAttributeValues: Object.fromEntries(values.map(([, by], i) => [`:n${i}`, by])),
    },
  };
}

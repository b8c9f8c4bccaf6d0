import { batchGet } from "../batch-get.ts";
import type { Db } from "../db.ts";
import { evalFrom, type StoredEval } from "./eval-item.ts";
import { evalKey } from "./eval-keys.ts";

/** Reads evaluations by id, in the order of the ids, without their large fields. Missing ones are left out. */
export async function readEvals(db: Db, ids: readonly string[]): Promise<StoredEval[]> {
  const items = await batchGet(db, db.tables.evals, ids.map(evalKey));
  const present = items.map(evalFrom).filter(({ removed_at }) => removed_at === undefined);
  const byId = new Map(present.map((record) => [record.id, record]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

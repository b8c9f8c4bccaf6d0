import type { Db } from "../db.ts";
import { type Change, guardedUpdate } from "../guarded-update.ts";
import { evalFrom, type StoredEval } from "./eval-item.ts";
import { evalKey } from "./eval-keys.ts";

/** One guarded write to an evaluation. @returns undefined when its condition refused it */
export async function changeEval(db: Db, id: string, change: Change): Promise<StoredEval | undefined> {
  const updated = await guardedUpdate(db, { TableName: db.tables.evals, Key: evalKey(id), ...change });
  return updated.changed ? evalFrom(updated.item) : undefined;
}

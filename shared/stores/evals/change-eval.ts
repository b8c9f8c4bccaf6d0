import type { Guard } from "../../data/guard.ts";
import { writeAndRead } from "../../data/write.ts";
import { type Changes, updateItem } from "../../data/writes.ts";
import type { Db } from "../db.ts";
import { evalFrom, type StoredEval } from "./eval-item.ts";
import { evalKey } from "./eval-keys.ts";

/** One guarded write to an evaluation. @returns undefined when its guard refused it */
export async function changeEval(
  db: Db,
  id: string,
  change: Changes & { readonly guard: Guard },
): Promise<StoredEval | undefined> {
  const result = await writeAndRead(db, updateItem("evals", evalKey(id), change));
  return result.written ? evalFrom(result.item) : undefined;
}

import { absent, type Changes, exists, type Guard, updateItem, writeAndRead } from "../../data/index.ts";
import type { Db } from "../db.ts";
import { evalFrom, evalKey, type StoredEval, wholeEval } from "./eval-item.ts";

/** One guarded write to an evaluation. @returns undefined when its guard refused it */
export async function changeEval(
  db: Db,
  id: string,
  change: Changes & { readonly guard: Guard },
): Promise<StoredEval | undefined> {
  const result = await writeAndRead(db, updateItem("evals", evalKey(id), change));
  return result.written ? evalFrom(result.item) : undefined;
}

/** Gives an evaluation another name. @param now epoch seconds. @returns undefined when it is gone */
export async function renameEval(
  db: Db,
  { id }: Pick<StoredEval, "id">,
  name: string,
  now: number,
): Promise<StoredEval | undefined> {
  const renamed = await changeEval(db, id, {
    set: { name, updated_at: now },
    guard: [exists, { removed_at: absent }],
  });
  return renamed && wholeEval(db, renamed);
}

import { absent, exists } from "../../data/guard.ts";
import type { Db } from "../db.ts";
import { changeEval } from "./change-eval.ts";
import { type StoredEval, wholeEval } from "./eval-item.ts";

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

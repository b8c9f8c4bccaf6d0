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
    UpdateExpression: "SET #name = :name, updated_at = :now",
    ConditionExpression: "attribute_exists(pk) AND attribute_not_exists(removed_at)",
    ExpressionAttributeNames: { "#name": "name" },
    ExpressionAttributeValues: { ":name": name, ":now": now },
  });
  return renamed && wholeEval(db, renamed);
}

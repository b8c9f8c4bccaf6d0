import type { Db } from "../db.ts";
import { changeEval } from "./change-eval.ts";
import { held } from "./claim-eval.ts";
import { fitted, type LeasedEval, type StoredEval } from "./eval-item.ts";

/** How an evaluation ended: with what it found, or with why it could not be finished. */
export type Settlement =
  | {
      readonly status: "completed";
      readonly eval_data: StoredEval["eval_data"];
      readonly metrics: StoredEval["metrics"];
    }
  | { readonly status: "failed"; readonly error: string };

/**
 * Ends an evaluation. Nobody works on it any more, and the sweeper forgets it.
 *
 * @param now  epoch seconds
 * @returns    false when it is another worker's by now, or gone
 */
export async function endEval(
  db: Db,
  { id, worker, large: before }: LeasedEval,
  settlement: Settlement,
  now: number,
): Promise<boolean> {
  const found = settlement.status === "completed" ? settlement : undefined;
  const { kept, large } = found
    ? await fitted(db, id, { eval_data: found.eval_data })
    : { kept: {}, large: undefined };
  const set: Readonly<Record<string, unknown>> = {
    ...settlement,
    ...(found && { eval_data: {}, ...kept }),
    ...(large && { large: { ...before, ...large } }),
    updated_at: now,
  };
  const names = Object.entries(set).filter(([, value]) => value !== undefined);
  const settled = await changeEval(db, id, {
    UpdateExpression: `SET ${names.map(([name]) => `#${name} = :${name}`).join(", ")} REMOVE lease_until, due_key, due, #worker`,
    ConditionExpression: held,
    ExpressionAttributeNames: {
      "#worker": "worker",
      ...Object.fromEntries(names.map(([name]) => [`#${name}`, name])),
    },
    ExpressionAttributeValues: {
      ":worker": worker,
      ...Object.fromEntries(names.map(([name, value]) => [`:${name}`, value])),
    },
  });
  return settled !== undefined;
}

import type { Db } from "../db.ts";
import { changeEval } from "./change-eval.ts";
import { hasLease } from "./claim-eval.ts";
import { fitted, type LeasedEval, type StoredEval } from "./eval-item.ts";

/** How an evaluation ended: with its results, or with the reason why it could not be finished. */
export type EvalOutcome =
  | {
      readonly status: "completed";
      readonly eval_data: StoredEval["eval_data"];
      readonly metrics: StoredEval["metrics"];
    }
  | { readonly status: "failed"; readonly error: string };

/**
 * Ends an evaluation. No worker claims it any more, and it is due no more.
 *
 * @param now  epoch seconds
 * @returns    false when another worker has it by now, or it is gone
 */
export async function endEval(
  db: Db,
  { id, worker, large: before }: LeasedEval,
  outcome: EvalOutcome,
  now: number,
): Promise<boolean> {
  const found = outcome.status === "completed" ? outcome : undefined;
  const { plain, large } = found
    ? await fitted(db, id, { eval_data: found.eval_data })
    : { plain: {}, large: undefined };
  const set: Readonly<Record<string, unknown>> = {
    ...outcome,
    ...(found && { eval_data: {}, ...plain }),
    ...(large && { large: { ...before, ...large } }),
    updated_at: now,
  };
  const names = Object.entries(set).filter(([, value]) => value !== undefined);
  const ended = await changeEval(db, id, {
    UpdateExpression: `SET ${names.map(([name]) => `#${name} = :${name}`).join(", ")} REMOVE lease_until, due_key, due, #worker`,
    ConditionExpression: hasLease,
    ExpressionAttributeNames: {
      "#worker": "worker",
      ...Object.fromEntries(names.map(([name]) => [`#${name}`, name])),
    },
    ExpressionAttributeValues: {
      ":worker": worker,
      ...Object.fromEntries(names.map(([name, value]) => [`:${name}`, value])),
    },
  });
  return ended !== undefined;
}

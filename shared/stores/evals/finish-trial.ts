import type { EvalTrial } from "../../schemas/evals/eval-trial.ts";
import type { Db } from "../db.ts";
import { transact } from "../transact.ts";
import { hasLease, leaseValues } from "./claim-eval.ts";
import type { LeasedEval } from "./eval-item.ts";
import { evalKey, trialKey } from "./eval-keys.ts";

/** Version of the stored trial; raised with every change of it. */
export const EVAL_TRIAL_SHAPE = 1;

/**
 * Records the result of a trial, once: an earlier result stays.
 *
 * @param now  epoch seconds
 * @returns    false when another worker has the evaluation by now, or it is gone
 */
export async function finishTrial(
  db: Db,
  { id, worker }: LeasedEval,
  trial: EvalTrial,
  now: number,
): Promise<boolean> {
  const TableName = db.tables.evals;
  const result = await transact(db, () => [
    {
      Update: {
        TableName,
        Key: evalKey(id),
        UpdateExpression: "SET lease_until = :until, due = :due, stalls = :none ADD done :one",
        ConditionExpression: hasLease,
        ExpressionAttributeValues: { ...leaseValues(id, worker, now), ":none": 0, ":one": 1 },
      },
    },
    {
      Put: {
        TableName,
        Item: { ...trialKey(id, trial.number), ...trial, shape: EVAL_TRIAL_SHAPE },
        ConditionExpression: "attribute_not_exists(pk)",
      },
    },
  ]);
  return result.written;
}

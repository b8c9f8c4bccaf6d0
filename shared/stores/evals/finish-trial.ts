import type { EvalTrial } from "../../schemas/evals/eval-trial.ts";
import type { Db } from "../db.ts";
import { transact } from "../transact.ts";
import { hasLease, leaseValues } from "./claim-eval.ts";
import { type LeasedEval, type StoredEval, unpurged } from "./eval-item.ts";
import { evalKey, trialKey } from "./eval-keys.ts";
import { addOnlineCost } from "./online-budget.ts";

/** Version of the stored trial; raised with every change of it. */
export const EVAL_TRIAL_SHAPE = 2;

/** Costs are stored in whole billionths of a dollar, so that sums are exact. */
const NANOS = 1_000_000_000;

/**
 * Records the result of a trial, once: an earlier result stays. What the judge used is counted with it.
 *
 * @param now          epoch seconds
 * @param judge_model  the model whose usage is counted
 * @returns    false when another worker has the evaluation by now, or it is gone
 */
export async function finishTrial(
  db: Db,
  record: LeasedEval,
  trial: EvalTrial,
  now: number,
  judge_model?: StoredEval["judge_model"],
): Promise<boolean> {
  const { id, worker } = record;
  const purges = unpurged(record);
  const { cost } = trial.judge ?? {};
  const TableName = db.tables.evals;
  const judged = judgedIn(trial);
  const result = await transact(db, () => [
    {
      Update: {
        TableName,
        Key: evalKey(id),
        UpdateExpression: `SET lease_until = :until, due = :due, stalls = :none${judge_model ? ", judge_model = :judge_model" : ""} ADD done :one${Object.keys(
          judged,
        )
          .map((name) => `, judge_${name} :${name}`)
          .join("")}`,
        ConditionExpression: `${hasLease} AND ${purges.condition}`,
        ExpressionAttributeValues: {
          ...leaseValues(id, worker, now),
          ...purges.values,
          ...(judge_model && { ":judge_model": judge_model }),
          ":none": 0,
          ":one": 1,
          ...Object.fromEntries(Object.entries(judged).map(([name, value]) => [`:${name}`, value])),
        },
      },
    },
    {
      Put: {
        TableName,
        Item: { ...trialKey(id, trial.number), ...trial, shape: EVAL_TRIAL_SHAPE },
        ConditionExpression: "attribute_not_exists(pk)",
      },
    },
    ...(record.online && cost !== undefined ? [addOnlineCost(db, record, cost, now)] : []),
  ]);
  return result.written;
}

/** What the judge's calls add to the counts of the evaluation. */
function judgedIn({ judge }: EvalTrial): Readonly<Record<string, number>> {
  if (!judge) return {};
  const { input_tokens = 0, output_tokens = 0, cost } = judge;
  return {
    calls: 1,
    input_tokens,
    output_tokens,
    ...(cost !== undefined && { cost_nanos: Math.round(cost * NANOS) }),
  };
}

import { isNew, putItem, transact } from "../../data/index.ts";
import type { EvalTrial } from "../../schemas/evals/eval-trial.ts";
import type { Db } from "../db.ts";
import { type LeasedEval, type StoredEval, trialKey, unpurged } from "./eval-item.ts";
import { evalWork } from "./eval-work.ts";
import { addOnlineCost } from "./online-budget.ts";

/** Version of the stored trial; raised with every change of it. */
export const EVAL_TRIAL_SHAPE = 4;

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
  const { cost } = trial.judge ?? {};
  const set = { stalls: 0, ...(judge_model && { judge_model }) };
  const progress = evalWork.leased({ set, add: { done: 1, ...judgedIn(trial) } }, worker, now);
  const result = await transact(db, {
    evaluation: evalWork.update(id, progress, [evalWork.held(worker), unpurged(record)]),
    trial: putItem("evals", { ...trialKey(id, trial.number), ...trial, shape: EVAL_TRIAL_SHAPE }, isNew),
    day: record.online && cost !== undefined ? addOnlineCost(record, cost, now) : undefined,
  });
  return result.written;
}

/** What the judge's calls add to the counts of the evaluation. */
function judgedIn({ judge }: EvalTrial): Readonly<Record<string, number>> {
  if (!judge) return {};
  const { input_tokens = 0, output_tokens = 0, cost } = judge;
  return {
    judge_calls: 1,
    judge_input_tokens: input_tokens,
    judge_output_tokens: output_tokens,
    ...(cost !== undefined && { judge_cost_nanos: Math.round(cost * NANOS) }),
  };
}

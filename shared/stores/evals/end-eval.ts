import { transact } from "../../data/index.ts";
import type { Db } from "../db.ts";
import { publishChanges } from "../outbox/change-event.ts";
import { evalChange } from "./create-eval.ts";
import { fitted, type LeasedEval, type StoredEval, unpurged } from "./eval-item.ts";
import { evalWork } from "./eval-work.ts";

type Results = Pick<StoredEval, "eval_data" | "metrics" | "totals">;

/**
 * How an evaluation ended: with its results, or with the reason why they say nothing. A failed one has results too if all
 * of its trials were run.
 */
export type EvalOutcome =
  | ({ readonly status: "completed" } & Results)
  | ({ readonly status: "failed"; readonly error: string } & Partial<Results>);

/**
 * Ends an evaluation. No worker claims it any more, and it is due no more.
 *
 * @param now  epoch seconds
 * @returns    false when another worker has it by now, something was removed from it since it was claimed, or it is gone
 */
export async function endEval(
  db: Db,
  record: LeasedEval,
  outcome: EvalOutcome,
  now: number,
): Promise<boolean> {
  const { id, worker, large: before } = record;
  const { eval_data } = outcome;
  const { plain, large } = eval_data ? await fitted(db, id, { eval_data }) : { plain: {}, large: undefined };
  const results = {
    ...outcome,
    ...(eval_data && { eval_data: {}, ...plain }),
    ...(large && { large: { ...before, ...large } }),
  };
  const change = evalWork.released({ set: { ...results, updated_at: now }, due: null });
  const guard = [evalWork.held(worker), unpurged(record)];
  const publication = await publishChanges(db, [evalChange(`evaluation.${outcome.status}`, record, now)]);
  if (publication.entries.length === 0) return (await evalWork.change(db, id, change, guard)).changed;
  const evaluation = evalWork.update(id, change, guard);
  const { written } = await transact(db, { evaluation, publication: publication.entries });
  if (written) await publication.wake();
  return written;
}

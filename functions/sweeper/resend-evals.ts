import type { EvalQueue } from "../../shared/queue/eval-queue.ts";
import type { Db } from "../../shared/stores/db.ts";
import { listDueEvals } from "../../shared/stores/evals/list-due-evals.ts";

/** Evaluations of one round at most; the next round continues. */
const EVALS_PER_ROUND = 500;

/**
 * Sends another message for each unfinished evaluation that has no worker, and for each removed one of which something
 * is left.
 *
 * @param now  epoch seconds
 * @returns    how many were sent
 */
export async function resendEvals(
  { db, evals }: { readonly db: Db; readonly evals: EvalQueue },
  now: number,
): Promise<number> {
  const due = await listDueEvals(db, now, EVALS_PER_ROUND);
  for (const eval_id of due) await evals.send({ eval_id });
  return due.length;
}

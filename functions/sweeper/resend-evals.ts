import type { EvalQueue } from "../../shared/queue/eval-queue.ts";
import type { Db } from "../../shared/stores/db.ts";
import { listDueEvals } from "../../shared/stores/evals/list-due-evals.ts";

/** Evaluations of one round at most; the next round goes on. */
const EVALS_PER_ROUND = 500;

/**
 * Evaluations that nobody works on and that are not through, and what is left of removed ones. Each gets another message.
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

import * as v from "valibot";
import type { CountedEval } from "../../domain/metrics/day-count.ts";
import { EvalStatus, EvalTotals } from "../../schemas/evals/eval-run.ts";
import { batchGet } from "../batch-get.ts";
import type { Db } from "../db.ts";
import { evalKey } from "../evals/eval-item.ts";
import type { EvalRow } from "../evals/list-evals.ts";
import { onlineOutcome } from "../evals/online-outcomes.ts";

const count = v.optional(v.number(), 0);
const Figures = v.object({
  status: EvalStatus,
  totals: v.optional(EvalTotals),
  online: v.optional(v.unknown()),
  removed_at: v.optional(v.number()),
  judge_model: v.optional(v.object({ id: v.string(), provider: v.string() })),
  judge_calls: count,
  judge_input_tokens: count,
  judge_output_tokens: count,
  judge_cost_nanos: v.optional(v.number()),
});
const fields = Object.keys(Figures.entries);

/** The results of evaluations, and what their judges have used so far. Removed ones are left out. */
export async function readEvalFigures(db: Db, rows: readonly EvalRow[]): Promise<CountedEval[]> {
  const keys = rows.map(({ id }) => evalKey(id));
  const items = await batchGet(db, db.tables.evals, keys, fields);
  return items
    .map((item) => v.parse(Figures, item))
    .filter(({ removed_at }) => removed_at === undefined)
    .map((one) => ({
      online: one.online === undefined ? undefined : onlineOutcome(one),
      judge_model: one.judge_model,
      calls: one.judge_calls,
      input_tokens: one.judge_input_tokens,
      output_tokens: one.judge_output_tokens,
      nanos: one.judge_cost_nanos,
    }));
}

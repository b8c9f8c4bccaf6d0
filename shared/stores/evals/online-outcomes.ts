import * as v from "valibot";
import { EvalStatus, EvalTotals } from "../../schemas/evals/eval-run.ts";
import { batchGet } from "../batch-get.ts";
import type { Db } from "../db.ts";
import { evalKey, onlineEvalId } from "./eval-item.ts";

/** How the judge of a run's component found the run. `open` while it judges, `failed` where it gave no verdict. */
export type OnlineOutcome = "open" | "passed" | "not passed" | "failed";

const Outcome = v.object({
  status: EvalStatus,
  totals: v.optional(EvalTotals),
  removed_at: v.optional(v.number()),
});
const fields = ["id", ...Object.keys(Outcome.entries)];

/** @param of  an evaluation that judges a run after its end */
export function onlineOutcome({
  status,
  totals,
}: Pick<v.InferOutput<typeof Outcome>, "status" | "totals">): OnlineOutcome {
  if (status === "running") return "open";
  if (status === "failed") return "failed";
  return totals?.pass_rate === 100 ? "passed" : "not passed";
}

/** The same of runs, by run. Those that no judge was asked about are left out. One read a run. */
export async function onlineOutcomes(
  db: Db,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, OnlineOutcome>> {
  const runs = new Map(runIds.map((id) => [onlineEvalId(id), id]));
  const items = await batchGet(db, db.tables.evals, [...runs.keys()].map(evalKey), fields);
  return new Map(
    items.flatMap((item) => {
      const { removed_at, ...found } = v.parse(Outcome, item);
      const run_id = runs.get(String(item.id));
      return run_id === undefined || removed_at !== undefined
        ? []
        : [[run_id, onlineOutcome(found)] as const];
    }),
  );
}

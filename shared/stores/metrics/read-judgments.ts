import type { Judgment } from "../../domain/metrics/judgments.ts";
import type { Db } from "../db.ts";
import { onlineOutcomes } from "../evals/online-outcomes.ts";
import { feedbackSummaries } from "../feedback/index.ts";

/**
 * How runs were judged, by people and by the judges of their components; runs that were not are left out. It reads two keys a run:
 * a run does not say whether it was judged, so that who judges it has nothing to write there.
 */
export async function readJudgments(
  db: Db,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, Judgment>> {
  const [summaries, outcomes] = await Promise.all([
    feedbackSummaries(db, runIds),
    onlineOutcomes(db, runIds),
  ]);
  const judged = runIds.flatMap((id): [string, Judgment][] => {
    const summary = summaries.get(id);
    const outcome = outcomes.get(id);
    const passed = outcome === "passed" ? true : outcome === "not passed" ? false : undefined;
    if (!summary && passed === undefined) return [];
    const thumb = summary?.thumb;
    const feedback = Object.entries(summary ?? {}).map(([key, { count, sum }]) => ({ key, count, sum }));
    return [[id, { feedback, thumbs_up: thumb?.scores[1] ?? 0, thumbs_down: thumb?.scores[0] ?? 0, passed }]];
  });
  return new Map(judged);
}

import type { Db } from "../../stores/db.ts";
import type { RunAddress } from "../../stores/runs/run-address.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import { commitEnding, type Ended } from "../../stores/transactions/commit-ending.ts";
import type { ExecutedRun } from "./executed-run.ts";
import { nestedRuns } from "./nested-runs.ts";
import { onlineEvalOf } from "./online-eval-of.ts";
import { pauseOf } from "./pause-of.ts";
import { sessionProgress, stateProgress } from "./session-progress.ts";

/** What is written with the end of a run that has no job. */
export type RunEnd = {
  /** Epoch seconds. */
  readonly now: number;
  readonly settings: Parameters<typeof pauseOf>[3];
  /** The completed run whose answer it replaces once it has completed itself. */
  readonly replaces?: RunAddress | undefined;
};

/**
 * Writes the end of an execution that has no job: output, events, session, pause and nested runs.
 *
 * @returns undefined when another attempt owns the record by now: nothing was written
 */
export function endRun(
  db: Db,
  run: StoredRun,
  { outcome, events }: Pick<ExecutedRun, "outcome" | "events">,
  { now, settings, replaces }: RunEnd,
): Promise<Ended | undefined> {
  return commitEnding(db, {
    at: { owner: run.owner, session_id: run.session_id, run_id: run.run_id },
    attempt: run.attempt,
    publishedRun: run,
    output: outcome.output,
    events,
    session: sessionProgress(run, outcome, now),
    state: stateProgress(run, outcome),
    job: undefined,
    ...pauseOf(run, outcome, now, settings),
    nested: nestedRuns(run, outcome),
    evaluation: onlineEvalOf(run, outcome, now),
    ...(outcome.status === "COMPLETED" && { replaces }),
  });
}

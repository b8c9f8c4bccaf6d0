import { epochSeconds } from "../../runtime/clock.ts";
import type { StoredJob } from "../../stores/jobs/job-item.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import type { RunsDeps } from "../runs-deps.ts";
import { jobOfRun } from "./job-of-run.ts";

/** A foreground run that takes longer than its client is kept waiting. */
export type Handing = {
  readonly run: StoredRun;
  /** Whether its client reads a stream. */
  readonly stream: boolean;
  /** When its execution began; epoch seconds. */
  readonly startedAt: number;
};

/** The job of a run that goes on in its present attempt. @param holder  who holds the job's lock */
export function jobOfHanded(deps: RunsDeps, { run, stream, startedAt }: Handing, holder: string): StoredJob {
  const now = epochSeconds(deps.clock);
  const { attempt } = run;
  return {
    ...jobOfRun({ run, stream, attempt, budget: budgetOf(run, deps), available_at: startedAt }),
    status: "running",
    locked_by: holder,
    locked_at: now,
    attempt_started_at: startedAt,
  };
}

/**
 * The execution that began in the foreground is one attempt.
 *
 * @decided  The job gets as many further attempts as any other: that the run took long is no failure of it
 */
export const budgetOf = (
  { attempt }: Pick<StoredRun, "attempt">,
  { settings }: Pick<RunsDeps, "settings">,
): number => attempt + settings.MAX_ATTEMPTS;

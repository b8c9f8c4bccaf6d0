import { revisionProblem } from "../../domain/runs/revision-problem.ts";
import type { Runnable } from "../../engine/define/runnable.ts";
import { epochSeconds } from "../../runtime/clock.ts";
import { moveJob } from "../../stores/jobs/move-job.ts";
import { runOf } from "../../stores/run-of-job.ts";
import { markRunning } from "../../stores/runs/mark-running.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import { revisionOf } from "./revision-of.ts";
import type { Execution, WorkerDeps } from "./worker-deps.ts";

/** `lost`: another worker has the job by now. `unfit`: the run may not go on with this code, and why. */
export type Migrated =
  | { readonly outcome: "migrated" | "lost" }
  | { readonly outcome: "unfit"; readonly because: string };

/**
 * Decides whether a run whose own version of the code is gone goes on with this one, and pins it to this one.
 *
 * The revision is written first: a worker that dies between the two writes leaves a run that is looked at again, and
 * whose recorded revision is that of the code which would have executed it.
 */
export async function migrateRun(
  deps: WorkerDeps,
  { job, worker, fence }: Execution,
  run: StoredRun,
  runnable: Runnable,
): Promise<Migrated> {
  const { code_version = "unknown", attempt, hops } = job;
  const { component_version } = run;
  const revision = revisionOf(runnable);
  const stranded = { code_version, hasCheckpoint: run.checkpoint !== undefined, component_version };
  const because = revisionProblem(
    { ...stranded, revision: run.revision },
    `${runnable.kind} ${runnable.id}`,
    revision,
  );
  if (because !== undefined) return { outcome: "unfit", because };
  const now = epochSeconds(deps.clock);
  const marked = await markRunning(deps.db, runOf(job), attempt, now, {
    hops,
    revision: revision ?? null,
  });
  if (!marked.started) return { outcome: "lost" };
  const pinned = await moveJob(
    deps.db,
    job.id,
    "heartbeat",
    { ...fence(), worker },
    { code_version: deps.pin?.version },
  );
  return { outcome: pinned.moved ? "migrated" : "lost" };
}

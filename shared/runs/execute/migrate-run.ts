import { revisionProblem } from "../../domain/runs/revision-problem.ts";
import type { Runnable } from "../../engine/define/runnable.ts";
import { changedCall } from "../../engine/pause/tool-digest.ts";
import type { RunState } from "../../engine/run/run-state.ts";
import { epochSeconds } from "../../runtime/clock.ts";
import type { StoredJob } from "../../stores/jobs/job-item.ts";
import { moveJob } from "../../stores/jobs/move-job.ts";
import { runOf } from "../../stores/run-of-job.ts";
import { readCheckpoint } from "../../stores/runs/checkpoint.ts";
import { markRunning } from "../../stores/runs/mark-running.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import type { Execution, WorkerDeps } from "./worker-deps.ts";

/** `lost`: another worker has the job by now. `unfit`: the run may not go on with this code, and why. */
type Migrated =
  | { readonly outcome: "migrated" | "lost" }
  | { readonly outcome: "unfit"; readonly because: string };

/**
 * Decides whether a run whose own version of the code is gone continues with this one, and pins it to this one.
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

/**
 * Why a run may not go on with this code although its component may: a person was asked about a call, and its tool has
 * changed since. Where a run is pinned, this was not compared when the person answered, because other code than that of
 * the request would execute the call.
 *
 * It is read only where the code may be another one than at the pause: in a run that loses its pin here, that was requeued,
 * or where runs are not pinned.
 */
export async function changedTool(
  { db, pin }: WorkerDeps,
  { job, migrates }: Execution,
  run: StoredRun,
  runnable: Runnable,
): Promise<string | undefined> {
  // A workflow's answers are compared when they are given, whatever the version.
  if (runnable.kind === "workflow" || !run.digests || (pin && !migrates && !job.requeued)) return undefined;
  const checkpoint = await readCheckpoint<RunState>(db, run);
  const changed = checkpoint && changedCall(checkpoint.state, runnable, run.digests);
  return (
    changed &&
    `the tool ${changed.tool_name} has changed since a person was asked about its call; start the run anew`
  );
}

/** The revision that code declares for a component, as text; undefined for none. */
const revisionOf = ({ revision }: Runnable): string | undefined =>
  revision === undefined ? undefined : String(revision);

/**
 * The revision of a job's component in this code. Read before the run is marked as RUNNING, so that it is recorded with
 * the same write: looking up what code declares takes no request.
 *
 * @returns null where none is declared; also for a stored component, which is known by its version
 */
export async function declaredRevision(
  { findRunnable }: Pick<WorkerDeps, "findRunnable">,
  { component_type, component_id, payload }: StoredJob,
): Promise<string | null> {
  if (payload.version !== undefined) return null;
  const declared = await findRunnable(component_type, component_id, { pinned: undefined });
  return (declared && revisionOf(declared)) ?? null;
}

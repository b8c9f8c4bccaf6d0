import { revisionProblem } from "../../domain/runs/revision-problem.ts";
import type { Runnable } from "../../engine/define/runnable.ts";
import { cancelledRun } from "../../engine/lifecycle/cancel-run.ts";
import { changedCall } from "../../engine/pause/tool-digest.ts";
import type { RunOutcome } from "../../engine/run/run-outcome.ts";
import type { RunState } from "../../engine/run/run-state.ts";
import { ServiceError } from "../../errors.ts";
import type { HandOffRef } from "../../queue/run-queue.ts";
import { epochSeconds } from "../../runtime/clock.ts";
import { runOf, type StoredJob } from "../../stores/jobs/job-item.ts";
import { moveJob } from "../../stores/jobs/move-job.ts";
import { readCheckpoint } from "../../stores/runs/checkpoint.ts";
import { errorEvent, eventSource } from "../../stores/runs/event-base.ts";
import { terminalEvents } from "../../stores/runs/events.ts";
import { markRunning, publishAttempt } from "../../stores/runs/mark-running.ts";
import { isCancellationLive } from "../../stores/runs/run-cancellation.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import { pinOf } from "../component.ts";
import { claimInTurn } from "./claim-in-turn.ts";
import { endJob, recordJobOutcome } from "./end-job.ts";
import { executeJobSlice } from "./execute-job-slice.ts";
import { takeOver } from "./hand-off.ts";
import type { Due, Execution, WorkerDeps } from "./worker-deps.ts";

/**
 * One execution of one job, from the claim to its end. A worker that cannot claim changes nothing: another one has the
 * job, it has ended, or it is not due.
 *
 *   claim ─▶ mark RUNNING ─▶ execute ─▶ end (one transaction)
 *     │          heartbeat ⋯⋯⋯⋯⋯⋯⋯⋯⋯▶│
 *                             │
 *                             └▶ hand off ─▶ message ─▶ take over ─▶ execute ─▶ …
 *
 * A run that began with another version of the code is executed by that version; see `code-pin.ts`.
 *
 * @param remainingMs  how long this process will live
 * @param hop          set when the message brings a run that was handed off
 * @throws on a store fault: the message comes back, and the lock goes stale if it was taken
 */
export async function executeJob(
  deps: WorkerDeps,
  due: Due,
  remainingMs: number,
  hop?: HandOffRef,
): Promise<void> {
  const execution = hop ? await takeOver(deps, due.job_id, hop) : await claimJob(deps, due);
  if (!execution) return;
  // Beside the run, which does not wait for it; but this function must not end before it.
  const asked = deps.askForLockCheck(execution.job.locked_at ?? epochSeconds(deps.clock));
  try {
    await executeClaimed(deps, execution, remainingMs);
  } finally {
    await asked;
  }
}

async function executeClaimed(deps: WorkerDeps, execution: Execution, remainingMs: number): Promise<void> {
  const { job } = execution;
  const at = epochSeconds(deps.clock);
  const marked = await markRunning(deps.db, runOf(job), job.attempt, at, {
    hops: job.hops,
    publication: await publishAttempt(deps.db, job, at),
    ...(!execution.migrates && { revision: await declaredRevision(deps, job) }),
  });
  if (!marked.started) return recordJobOutcome(deps, execution, marked.seen);
  if (isCancellationLive(job, epochSeconds(deps.clock))) return endCancelled(deps, execution, marked.run);
  const runnable = await findPinned(deps, marked.run);
  if (typeof runnable === "string") return endUnfit(deps, execution, marked.run, runnable);
  // Before the pin is renewed: a worker that dies in between leaves a run that is looked at again.
  const changed = await changedTool(deps, execution, marked.run, runnable);
  if (changed !== undefined) return endUnfit(deps, execution, marked.run, changed);
  if (execution.migrates) {
    const migrated = await migrateRun(deps, execution, marked.run, runnable);
    if (migrated.outcome === "unfit") return endUnfit(deps, execution, marked.run, migrated.because);
    if (migrated.outcome === "lost") return;
  }
  await executeJobSlice(deps, execution, runnable, marked.run, remainingMs);
}

/** The run's component, at the version that it started with; or why it cannot be executed. */
async function findPinned(deps: WorkerDeps, run: StoredRun): Promise<Runnable | string> {
  const { component_type: kind, component_id: id } = run;
  try {
    const found = await deps.findRunnable(kind, id, pinOf(run));
    return found ?? `${kind} ${id} is not registered on this platform any more`;
  } catch (error) {
    if (error instanceof ServiceError && error.code === "UNPROCESSABLE") return error.message;
    throw error;
  }
}

async function claimJob(deps: WorkerDeps, due: Due): Promise<Execution | undefined> {
  const worker = deps.newWorkerId();
  const claimed = await claimInTurn(deps, due, worker);
  if (!claimed) return undefined;
  const { job, migrates } = claimed;
  const dueAt = job.available_at ?? job.created_at;
  deps.meter?.record({ QueueWaitSeconds: Math.max(0, epochSeconds(deps.clock) - dueAt) });
  const fence = () => ({ now: epochSeconds(deps.clock), worker, attempt: job.attempt });
  return { job, worker, fence, ...(migrates && { migrates }) };
}

const STILL_CANCELLED =
  "The run was queued again while its cancellation was still in force, so it was cancelled again. Requeue the job with clear_cancellation=true to run it.";

/** Ends a job that was requeued while its cancellation is still in force: its first checkpoint is its last. */
async function endCancelled(deps: WorkerDeps, execution: Execution, run: StoredRun): Promise<void> {
  const { attempt } = execution.job;
  const { outcome, events } = await cancelledRun(
    deps.db,
    run,
    attempt,
    epochSeconds(deps.clock),
    STILL_CANCELLED,
  );
  return endJob(deps, execution, run, outcome, events);
}

/** Fails a job visibly that this code cannot execute: its component is removed, incomplete, or of another revision. */
async function endUnfit(
  deps: WorkerDeps,
  execution: Execution,
  run: StoredRun,
  error: string,
): Promise<void> {
  const outcome: RunOutcome = {
    status: "ERROR",
    // No other attempt can change it.
    cause: "input",
    error,
    output: { ...run.output, status: "ERROR", content: error },
  };
  const failure = errorEvent(eventSource(run), epochSeconds(deps.clock), error);
  return endJob(
    deps,
    execution,
    run,
    outcome,
    await terminalEvents(deps.db, run, execution.job.attempt, failure),
  );
}

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
async function migrateRun(
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
async function changedTool(
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
async function declaredRevision(
  { findRunnable }: Pick<WorkerDeps, "findRunnable">,
  { component_type, component_id, payload }: StoredJob,
): Promise<string | null> {
  if (payload.version !== undefined) return null;
  const declared = await findRunnable(component_type, component_id, { pinned: undefined });
  return (declared && revisionOf(declared)) ?? null;
}

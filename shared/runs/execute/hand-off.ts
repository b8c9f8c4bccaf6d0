import { handOffToken } from "../../domain/jobs/hand-off-token.ts";
import type { ExecutionState } from "../../engine/lifecycle/execute-runnable.ts";
import type { HandOffRef } from "../../queue/run-queue.ts";
import { epochSeconds } from "../../runtime/clock.ts";
import type { StoredJob } from "../../stores/jobs/job-item.ts";
import { type Fence, moveJob } from "../../stores/jobs/move-job.ts";
import { type Checkpoint, packCheckpoint } from "../../stores/runs/checkpoint.ts";
import type { EventBatch } from "../../stores/runs/events.ts";
import { handOffRun } from "../../stores/transactions/hand-off-run.ts";
import { leavePlace } from "./claim-in-turn.ts";
import { passOnOrMigrate, pinnedBy } from "./code-pin.ts";
import type { Execution, JobDeps, WorkerDeps } from "./worker-deps.ts";

/** A run that is handed off more often than this makes no progress. */
export const MAX_HAND_OFFS = 1_000;

/**
 * Suspends a run after a step and wakes its next worker.
 *
 *   worker a ──── handOff ──▶ token holds the lock ──▶ takeOver ──── worker b
 *                   │ checkpoint, events, lock          │ once: the token is gone then
 *                   └──── message with the token ───────┘
 *
 * The message may be lost: a token's lock goes stale like any other, and the sweeper sends the token again.
 *
 * @returns false when the run may not continue: its lock was lost, or its cancellation is requested
 */
export async function handOff(
  deps: JobDeps,
  { job, fence }: Execution,
  checkpoint: Checkpoint<ExecutionState>,
  events: EventBatch,
): Promise<boolean> {
  const hops = (job.hops ?? 0) + 1;
  const handedOff = await handOffRun(deps.db, {
    job,
    fence: { ...fence(), successor: handOffToken(hops) },
    hops,
    checkpoint: packCheckpoint(checkpoint),
    events,
  });
  if (!handedOff) return false;
  await sendHandOff(deps, job, hops);
  return true;
}

/**
 * Puts a run back into the queue that cannot go on before an instant. It was not at fault, so that it stays in its attempt: the
 * worker that claims it resumes it where it stands.
 *
 * @param available_at  epoch seconds
 * @returns as `handOff`
 */
export async function postpone(
  deps: JobDeps,
  { job, fence }: Execution,
  checkpoint: Checkpoint<ExecutionState>,
  events: EventBatch,
  available_at: number,
): Promise<boolean> {
  const delay_seconds = Math.max(1, available_at - fence().now);
  const postponed = await handOffRun(deps.db, {
    job,
    fence: fence(),
    hops: (job.hops ?? 0) + 1,
    checkpoint: packCheckpoint(checkpoint),
    events,
    postponed: {
      available_at,
      // The time that it waits is no time of its execution.
      attempt_started_at: (job.attempt_started_at ?? fence().now) + delay_seconds,
    },
  });
  if (!postponed) return false;
  const { id, user_id } = job;
  await deps.queue
    .send({ job_id: id, user_id, delay_seconds })
    .catch((error) =>
      deps.log.warn("could not enqueue a postponed run", { job_id: id, error: String(error) }),
    );
  await leavePlace(deps, job);
  return true;
}

/** Wakes the worker that resumes a run. The message may be lost. @param number  of the hand-off in its attempt */
export async function sendHandOff(
  { queue, log }: Pick<JobDeps, "queue" | "log">,
  { id, user_id, attempt }: StoredJob,
  number: number,
): Promise<void> {
  await queue
    .send({ job_id: id, user_id, hop: { attempt, number } })
    .catch((error) => log.warn("could not enqueue hand-off", { job_id: id, error: String(error) }));
}

/**
 * Takes over a run that was handed off; undefined when another worker has, when the run has ended, or when it was passed on
 * to the version of the code that it began with.
 */
export async function takeOver(
  deps: WorkerDeps,
  jobId: string,
  hop: HandOffRef,
): Promise<Execution | undefined> {
  const worker = deps.newWorkerId();
  const token = handOffToken(hop.number);
  const take = (code: Pick<Fence, "code">) =>
    moveJob(deps.db, jobId, "takeOver", {
      now: epochSeconds(deps.clock),
      worker: token,
      attempt: hop.attempt,
      successor: worker,
      ...code,
    });
  let taken = await take(pinnedBy(deps));
  const seen = taken.moved ? undefined : taken.seen;
  const waits = seen?.status === "running" && seen.locked_by === token && seen.attempt === hop.attempt;
  const migrating = waits ? await passOnOrMigrate(deps, seen, hop) : undefined;
  if (migrating) taken = await take(migrating);
  if (!taken.moved) return undefined;
  const { job } = taken;
  const fence = () => ({ now: epochSeconds(deps.clock), worker, attempt: job.attempt });
  return { job, worker, fence, ...(migrating && { migrates: true }) };
}

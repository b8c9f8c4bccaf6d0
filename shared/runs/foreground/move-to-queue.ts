import { handOffToken } from "../../domain/jobs/hand-off-token.ts";
import { cancelRun } from "../../engine/lifecycle/cancel-run.ts";
import type { ExecutedRun } from "../../engine/lifecycle/end-run.ts";
import { checkpointOf, type Suspended } from "../../engine/lifecycle/execute-runnable.ts";
import { wakeSession } from "../../engine/lifecycle/wake-waiting.ts";
import { wakeWorker } from "../../queue/run-queue.ts";
import { epochSeconds } from "../../runtime/clock.ts";
import { jobOfRun, type StoredJob } from "../../stores/jobs/job-item.ts";
import { packCheckpoint } from "../../stores/runs/checkpoint.ts";
import { nextIndexAfter } from "../../stores/runs/events.ts";
import { getRunHead } from "../../stores/runs/get-run.ts";
import { isCancellationLive, readCancellationById } from "../../stores/runs/run-cancellation.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import type { RunAddress } from "../../stores/runs/run-keys.ts";
import {
  type MovedToQueue,
  type MoveToQueue,
  moveRunToQueue,
} from "../../stores/transactions/move-run-to-queue.ts";
import { sendHandOff } from "../execute/hand-off.ts";
import type { RunsDeps } from "../runs-deps.ts";

/**
 * Hands off a run that was suspended after a step: a worker resumes it there, in the same attempt.
 *
 * @returns false when the run has ended, or its cancellation is requested
 */
export async function handOffToQueue(
  deps: RunsDeps,
  handing: Handing,
  { outcome, events, traced, sent }: ExecutedRun<Suspended>,
): Promise<boolean> {
  const { run } = handing;
  const number = 1;
  const job = { ...jobOfHanded(deps, handing, handOffToken(number)), hops: number };
  // Awaited first: the next worker reads which spans there are.
  await traced;
  const next_index = await nextIndexAfter(deps.db, run, events);
  const checkpoint = packCheckpoint({ ...checkpointOf(outcome), next_index });
  const suspended = { checkpoint, events };
  const moved = await giveJob(deps, { run, job, suspended });
  if (moved === "moved") await sendHandOff(deps, job, number);
  await sent;
  return hasJob(deps, run, moved);
}

/**
 * Queues a run that was cut off within a step. A worker claims it, as a further attempt, and resumes it after the last
 * step that was saved.
 *
 * @returns false when the run has ended, or its cancellation is requested
 */
export async function moveToQueue(deps: RunsDeps, { run, stream }: Handing): Promise<boolean> {
  const { attempt } = run;
  const now = epochSeconds(deps.clock);
  const job = jobOfRun({ run, stream, attempt, budget: budgetOf(run, deps), available_at: now });
  const moved = await giveJob(deps, { run, job });
  if (moved === "moved") {
    deps.depth.countAccepted();
    await wakeWorker(deps, job);
  }
  return hasJob(deps, run, moved);
}

/** A job of which this process knew nothing is left to the sweeper: its lock goes stale, or its message is sent again. */
function hasJob({ log }: RunsDeps, { run_id }: StoredRun, moved: MovedToQueue): boolean {
  if (moved === "has_job") log.warn("a run had a job already; the sweeper takes care of it", { run_id });
  return moved !== "refused";
}

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
const budgetOf = (
  { attempt }: Pick<StoredRun, "attempt">,
  { settings }: Pick<RunsDeps, "settings">,
): number => attempt + settings.MAX_ATTEMPTS;

/** What giving a run a job takes. */
type GivingDeps = Pick<RunsDeps, "db" | "clock" | "queue" | "log" | "settings">;

/**
 * Gives a foreground run a job, and cancels it where a cancellation was recorded under the run's id: from now on only the job
 * is read. Whoever cancels writes under the id before looking for a job, so one of the two sees the other.
 */
export async function giveJob(deps: GivingDeps, move: Omit<MoveToQueue, "now">): Promise<MovedToQueue> {
  const now = epochSeconds(deps.clock);
  const moved = await moveRunToQueue(deps.db, { ...move, now });
  if (moved !== "moved") return moved;
  await carryCancellation(deps, move.run, now);
  return moved;
}

/** Cancels a run that has a job now, where its cancellation was recorded under its id. @param now epoch seconds */
export async function carryCancellation(deps: GivingDeps, at: RunAddress, now: number): Promise<void> {
  const { db, settings } = deps;
  if (!isCancellationLive(await readCancellationById(db, at.run_id), now)) return;
  const run = await getRunHead(db, at, now);
  if (run) await wakeSession(deps, await cancelRun(db, run, now, settings.JOB_RETENTION_SECONDS));
}

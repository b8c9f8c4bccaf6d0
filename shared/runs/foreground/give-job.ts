import { CANCELLATION_LIFE_SECONDS, isCancellationLive } from "../../domain/jobs/cancellation.ts";
import { epochSeconds } from "../../runtime/clock.ts";
import { recordCancellation } from "../../stores/jobs/record-cancellation.ts";
import { readCancellationById } from "../../stores/runs/run-cancellation.ts";
import {
  type MovedToQueue,
  type MoveToQueue,
  moveRunToQueue,
} from "../../stores/transactions/move-run-to-queue.ts";
import type { RunsDeps } from "../runs-deps.ts";

/**
 * Gives a foreground run a job, and records on the job what was recorded under the run's id: from now on only the job
 * is read. Whoever cancels writes under the id before looking for a job, so one of the two sees the other.
 */
export async function giveJob(
  deps: Pick<RunsDeps, "db" | "clock">,
  move: Omit<MoveToQueue, "now">,
): Promise<MovedToQueue> {
  const now = epochSeconds(deps.clock);
  const moved = await moveRunToQueue(deps.db, { ...move, now });
  if (moved !== "moved") return moved;
  await carryCancellation(deps, move.run.run_id, now);
  return moved;
}

/** Records on a run's new job the cancellation that was recorded under the run's id. @param now epoch seconds */
export async function carryCancellation(
  { db }: Pick<RunsDeps, "db">,
  run_id: string,
  now: number,
): Promise<void> {
  if (!isCancellationLive(await readCancellationById(db, run_id), now)) return;
  await recordCancellation(db, run_id, { now, until: now + CANCELLATION_LIFE_SECONDS });
}

import type { Log } from "../runtime/log.ts";
import type { RunQueue } from "./run-queue.ts";

/**
 * Sends the message that wakes a worker for a job. It may fail: the job stays queued, and the sweeper sends the message
 * again.
 *
 * @param delay_seconds  how long until the job may be claimed
 */
export async function wakeWorker(
  { queue, log }: { readonly queue: RunQueue; readonly log: Pick<Log, "warn"> },
  { id, user_id }: { readonly id: string; readonly user_id: string | null },
  delay_seconds?: number,
): Promise<void> {
  await queue
    .send({ job_id: id, user_id, ...(delay_seconds !== undefined && { delay_seconds }) })
    .catch((error) => log.warn("wake-up not sent", { job_id: id, error: String(error) }));
}

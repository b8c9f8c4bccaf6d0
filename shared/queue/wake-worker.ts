import type { Log } from "../runtime/log.ts";
import { sendWakeUp } from "../work/send-wake-up.ts";
import type { RunQueue } from "./run-queue.ts";

/** Sends the message that wakes a worker for a job. @param delay_seconds  how long until the job may be claimed */
export const wakeWorker = (
  { queue, log }: { readonly queue: RunQueue; readonly log: Pick<Log, "warn"> },
  { id, user_id }: { readonly id: string; readonly user_id: string | null },
  delay_seconds?: number,
): Promise<void> => {
  const wakeup = { job_id: id, user_id, ...(delay_seconds !== undefined && { delay_seconds }) };
  return sendWakeUp({ queue: { send: (message) => queue.send(message) }, log }, wakeup, { job_id: id });
};

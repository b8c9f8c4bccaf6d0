import { absentOr, atMost, oneOf, updateItem, writeAndRead } from "../../data/index.ts";
import type { Db } from "../db.ts";
import { jobFrom, type StoredJob } from "./job-item.ts";
import { jobKey } from "./job-keys.ts";

/** Clocks of two functions may differ by this. */
const SKEW_SECONDS = 2;

/** The job with its cancellation; or one that is paused, where nothing was recorded. */
export type RecordedOn =
  | { readonly recorded: true; readonly job: StoredJob }
  | { readonly recorded: false; readonly paused: StoredJob };

/**
 * Records the cancellation of a job that is executed, or will be; recording it again extends it. Whoever executes it reads it.
 *
 * On a paused job no worker reads it: were only half of its cancellation written, the job would stay paused and refuse every
 * answer. So nothing is recorded there, and its cancellation is one write with its end.
 *
 * An ended one is left alone: the cancellation would stop its next requeue. So would one that was on its way while the job was
 * cancelled, by a repetition of the same call, and requeued: it is refused too.
 *
 * @param now    when the cancellation was requested; epoch seconds
 * @param until  when it expires; epoch seconds
 * @returns      undefined when it has ended, was requeued since, or there is none
 */
export async function recordCancellation(
  db: Db,
  id: string,
  { now, until }: { readonly now: number; readonly until: number },
): Promise<RecordedOn | undefined> {
  const latest = now + SKEW_SECONDS;
  const result = await writeAndRead(
    db,
    updateItem("jobs", jobKey(id), {
      set: { cancel_until: until },
      guard: {
        status: oneOf(["queued", "running"]),
        requeued_at: absentOr(atMost(latest)),
      },
    }),
  );
  if (result.written) return { recorded: true, job: jobFrom(result.item) };
  const seen = result.seen && jobFrom(result.seen);
  const isWaiting = seen?.status === "paused" && (seen.requeued_at ?? 0) <= latest;
  return isWaiting ? { recorded: false, paused: seen } : undefined;
}

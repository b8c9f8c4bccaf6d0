import { absentOr, atMost, oneOf, updateItem, writeAndRead } from "../../data/index.ts";
import type { Db } from "../db.ts";
import { jobFrom, type StoredJob } from "./job-item.ts";
import { jobKey } from "./job-keys.ts";

/** Clocks of two functions may differ by this. */
const SKEW_SECONDS = 2;

/**
 * Records the cancellation of a job that has not ended; recording it again extends it. An ended one is left alone: the
 * cancellation would stop its next requeue. So would one that was on its way while the job was cancelled, by a repetition
 * of the same call, and requeued: it is refused too.
 *
 * @param now    when the cancellation was requested; epoch seconds
 * @param until  when it expires; epoch seconds
 * @returns      the job with the cancellation; undefined when it has ended, or there is none
 */
export async function recordCancellation(
  db: Db,
  id: string,
  { now, until }: { readonly now: number; readonly until: number },
): Promise<StoredJob | undefined> {
  const result = await writeAndRead(
    db,
    updateItem("jobs", jobKey(id), {
      set: { cancel_until: until },
      guard: {
        status: oneOf(["queued", "running", "paused"]),
        requeued_at: absentOr(atMost(now + SKEW_SECONDS)),
      },
    }),
  );
  return result.written ? jobFrom(result.item) : undefined;
}

import { type Due, type DueRow, type LeaseRow, leaseOf, wakeUps } from "../../work/index.ts";
import type { Db } from "../db.ts";
import { statusShards } from "./job-keys.ts";
import { indexRows } from "./list-jobs.ts";

/** A job that has been due for less than this may simply not have been claimed yet. */
const SETTLING_SECONDS = 15;
/** Jobs of one round at most; the next round continues. */
const DUE_PER_ROUND = 500;

/** How long a lock lasts is the setting LOCK_GRACE_SECONDS, so the time of the last heartbeat is what is stored. */
const lease = {
  ...{ holder: "locked_by", time: "locked_at", stores: "begin", releasedAs: null },
  ...{ seconds: 0, renewals: 3, settlingSeconds: 0 },
} as const satisfies LeaseRow;

/** Queued jobs that are due, the oldest first. They are found by their status: the table of jobs has no index by_due. */
const jobDue: Pick<DueRow<never>, "list"> = { list: (db, now) => dueJobs(db, now, new Set()) };

/**
 * A job. Its claim and all its other writes are moves of the table of transitions, which says what each needs of the
 * lock: that the caller has it, in this very attempt, or that it is stale.
 */
export const jobWork = {
  ...leaseOf(lease),
  lease,
  ...wakeUps({
    kind: "job",
    due: jobDue,
    message: ({ job_id, user_id }) => ({
      job_id: String(job_id),
      user_id: typeof user_id === "string" ? user_id : null,
    }),
  }),
};

/** @param except  jobs that wait without a message @param now epoch seconds */
export async function dueJobs(db: Db, now: number, except: ReadonlySet<string>): Promise<Due[]> {
  const due: (Due & { readonly acceptedAt: number })[] = [];
  for (const shard of statusShards(db, "queued")) {
    let inShard = 0;
    for await (const row of indexRows(db, shard, { forward: true, now })) {
      const dueAt = Number(row.available_at ?? row.created_at);
      if (dueAt > now - SETTLING_SECONDS || except.has(row.id)) continue;
      due.push({ row: { job_id: row.id, user_id: row.user_id }, dueAt, acceptedAt: row.created_at });
      inShard += 1;
      if (inShard >= DUE_PER_ROUND) break;
    }
  }
  return due.sort((a, b) => a.acceptedAt - b.acceptedAt).slice(0, DUE_PER_ROUND);
}

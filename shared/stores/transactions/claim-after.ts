import { checkItem, transact } from "../../data/index.ts";
import type { Db } from "../db.ts";
import { getJob, jobFrom, runOf, type StoredJob } from "../jobs/job-item.ts";
import { type Fence, isOwnClaim, jobUpdate, type Moved, moveJob } from "../jobs/move-job.ts";
import { runKey } from "../runs/run-keys.ts";
import { takeTurn } from "../sessions/session-writes.ts";

/** A transaction has 100 writes at most. */
const MOST_PAUSED = 90;

/**
 * Claims a job whose session's turn has come: no run that it waited for is live. Where some of those are paused, they may go on at
 * the same moment, and would wait for no job that waits for them:
 *
 *   one goes on first    → the claim is refused, as that run is paused no longer
 *   the claim is first   → it has taken a turn, so that run's continuation is refused, looks again, and waits
 *
 * @param paused  ids of the runs that it waited for and that were read as paused; of the first 90 none may have gone on
 * @returns `gone_on` where one of them has: nothing was written
 */
export async function claimAfter(
  db: Db,
  job: StoredJob,
  fence: Fence,
  paused: readonly string[],
): Promise<Moved | "gone_on"> {
  const turn = { ...fence, turnHasCome: true } as const;
  const change = { waits_for: undefined };
  if (paused.length === 0) return moveJob(db, job.id, "claim", turn, change);
  const { owner, session_id } = runOf(job);
  const result = await transact(db, {
    job: jobUpdate(db, job.id, "claim", turn, change),
    paused: paused
      .slice(0, MOST_PAUSED)
      .map((id) => checkItem("runs", runKey(owner, session_id, id), { status: "PAUSED" })),
    session: takeTurn(session_id),
  });
  if (result.written) {
    const claimed = await getJob(db, job.id, fence.now);
    return claimed ? { moved: true, job: claimed } : { moved: false, seen: undefined };
  }
  if (result.refused === "paused") return "gone_on";
  // The session is removed: nothing in it goes on any more.
  if (result.refused === "session") return moveJob(db, job.id, "claim", turn, change);
  const seen = result.seen && jobFrom(result.seen);
  return seen && isOwnClaim(seen, "claim", turn) ? { moved: true, job: seen } : { moved: false, seen };
}

import type { RemovalQueue } from "../../shared/queue/removal-queue.ts";
import type { Db } from "../../shared/stores/db.ts";
import { listTombstones } from "../../shared/stores/sessions/tombstone.ts";

/** A removal that is younger than this may simply still be under way. */
const SETTLING_SECONDS = 60;
/** Removals of one round at most; the next round continues. */
const REMOVALS_PER_ROUND = 500;
/** Each message is one try; the function that gets it does not wait for running runs. */
const LAST_ROUND = Number.MAX_SAFE_INTEGER;

/** Tombstones are not read in the order of their age, so it is only known whether one is older than this. */
const LATE_SECONDS = 1_200;

type RemovalDeps = {
  readonly db: Db;
  readonly removals: RemovalQueue;
  /** Called with the seconds for which a removal has been due, at least. */
  readonly overdue?: (seconds: number) => void;
};

/**
 * Sends another message for each session whose removal began a while ago and is not over: its message was lost, its
 * runs take long to stop, or all is removed but the id.
 *
 * @param now  epoch seconds
 * @returns    how many were sent
 */
export async function resendRemovals({ db, removals, overdue }: RemovalDeps, now: number): Promise<number> {
  const ids = await listTombstones(db, now - SETTLING_SECONDS, REMOVALS_PER_ROUND);
  const [late] = ids.length > 0 ? await listTombstones(db, now - LATE_SECONDS, 1) : [];
  if (late !== undefined) overdue?.(LATE_SECONDS);
  for (const session_id of ids) await removals.send({ session_id, round: LAST_ROUND });
  return ids.length;
}

import type { RemovalMessage } from "../../../shared/queue/removal-queue.ts";
import { epochSeconds } from "../../../shared/runtime/clock.ts";
import {
  type ClaimedTombstone,
  claimTombstone,
  dropTombstone,
  getTombstone,
  releaseTombstone,
} from "../../../shared/stores/sessions/tombstone.ts";
import { removeRuns } from "./remove-runs.ts";
import type { RemoverDeps } from "./remover-deps.ts";
import { removeSessionData } from "./session-data.ts";

/**
 * A request that read the session before its removal has written its run by then: no function lives longer to do so.
 */
const LATECOMER_SECONDS = 60;
/** Time reserved at the end of the function's life. */
const ENDING_MS = 10_000;
/** Waits for runs that are being executed; after the last one the sweeper comes back every minute. */
const WAITS_SECONDS = [1, 2, 4, 8, 15, 30];

/**
 * Removes what belongs to a removed session, as far as one function's life reaches. It may be called again at any time,
 * and continues where it stopped.
 *
 *   tombstone ─▶ runs stopped and removed ─▶ vacant: the id may be used again
 *                     │ some still executed        │ a minute after the removal, by the sweeper's message
 *                     └▶ again in a moment         └▶ id reserved again ─▶ runs of latecomers removed ─▶ tombstone removed
 *
 * @param remainingMs  how long this process will live
 */
export async function removeSession(
  deps: RemoverDeps,
  { session_id, round }: RemovalMessage,
  remainingMs: number,
): Promise<void> {
  const now = epochSeconds(deps.clock);
  const seen = await getTombstone(deps.db, session_id);
  const isLate = seen !== undefined && now - seen.deleted_at >= LATECOMER_SECONDS;
  if (!seen || (seen.vacant && !isLate)) return;
  const tombstone = await claimTombstone(deps.db, seen, now, now + Math.ceil(remainingMs / 1000));
  if (!tombstone) return;
  const removed = await removeRuns(deps, tombstone, deps.clock.now() + remainingMs - ENDING_MS);
  if (removed === "all") return close(deps, tombstone, isLate);
  await releaseTombstone(deps.db, tombstone, false);
  await sendAgain(deps, session_id, round, removed);
}

async function close(deps: RemoverDeps, tombstone: ClaimedTombstone, isLate: boolean): Promise<void> {
  await removeSessionData(deps, tombstone);
  if (isLate) await dropTombstone(deps.db, tombstone);
  else await releaseTombstone(deps.db, tombstone, true);
}

async function sendAgain(
  { removals }: RemoverDeps,
  session_id: string,
  round: number,
  because: "some_are_executed" | "out_of_time",
): Promise<void> {
  if (because === "out_of_time") return removals.send({ session_id, round });
  const wait = WAITS_SECONDS[round];
  if (wait !== undefined) await removals.send({ session_id, round: round + 1 }, wait);
}

import type { RemovalMessage } from "../../shared/queue/removal-message.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import {
  dropTombstone,
  getTombstone,
  setVacant,
  type Tombstone,
} from "../../shared/stores/sessions/tombstone.ts";
import { removeRuns } from "./remove-runs.ts";
import type { RemoverDeps } from "./remover-deps.ts";

/** Whoever had read the session before it was removed has written its run by then: no door lives longer to do so. */
export const LATECOMER_SECONDS = 60;
/** Time kept back at the end of the function's life. */
const ENDING_MS = 10_000;
/** Waits for runs that are being executed; after the last one the sweeper comes back every minute. */
const WAITS_SECONDS = [1, 2, 4, 8, 15, 30];

/**
 * Removes what belongs to a removed session, as far as one function's life reaches. It may be called again at any
 * time, and goes on where it was left.
 *
 *   tombstone ─▶ runs stopped and removed ─▶ vacant: the id may be used again
 *                     │ some still executed        │ a minute after the removal, by the sweeper's message
 *                     └▶ again in a moment         └▶ id taken back ─▶ runs of latecomers removed ─▶ tombstone gone
 *
 * @param remainingMs  how long this process will live
 */
export async function removeSession(
  deps: RemoverDeps,
  { session_id, round }: RemovalMessage,
  remainingMs: number,
): Promise<void> {
  const tombstone = await getTombstone(deps.db, session_id);
  if (!tombstone) return;
  const isLate = epochSeconds(deps.clock) - tombstone.deleted_at >= LATECOMER_SECONDS;
  // Vacant and early: there is nothing to do yet. Not ours any more: a new session has the id.
  if (tombstone.vacant && !(isLate && (await setVacant(deps.db, tombstone, false)))) return;
  const until = deps.clock.now() + remainingMs - ENDING_MS;
  const removed = await removeRuns(deps, tombstone, until);
  if (removed === "out_of_time") return deps.removals.send({ session_id, round });
  if (removed === "some_are_executed") return waitForThem(deps, session_id, round);
  await close(deps, tombstone, isLate);
}

async function waitForThem({ removals }: RemoverDeps, session_id: string, round: number): Promise<void> {
  const wait = WAITS_SECONDS[round];
  if (wait !== undefined) await removals.send({ session_id, round: round + 1 }, wait);
}

async function close(deps: RemoverDeps, tombstone: Tombstone, isLate: boolean): Promise<void> {
  await deps.removeObjectsOf(tombstone.user_id, tombstone.session_id);
  if (isLate) await dropTombstone(deps.db, tombstone);
  else await setVacant(deps.db, tombstone, true);
}

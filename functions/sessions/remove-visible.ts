import { callerOf } from "../../shared/auth/caller.ts";
import type { Principal } from "../../shared/auth/principal.ts";
import { requireDatabase, SESSION_TABLE } from "../../shared/domain/databases/database.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { removeSessions } from "../../shared/stores/sessions/remove-sessions.ts";
import type { SessionsDeps } from "./sessions-deps.ts";
import { requestedOwner, type SessionQuery } from "./visible-session.ts";

/**
 * Removes those of the sessions that the caller may see.
 *
 *   tombstone (one write: the session is not found any more) ─▶ message ─▶ housekeeper: runs, events, files
 *
 * The message may be lost: the sweeper finds the tombstone and sends another.
 */
export async function removeVisible(
  { db, clock, removals, log }: SessionsDeps,
  principal: Principal,
  ids: readonly string[],
  query: SessionQuery,
): Promise<void> {
  requireDatabase(query, SESSION_TABLE);
  const owner = requestedOwner(callerOf(principal), query);
  const mayRemove = ({ user_id }: { user_id: string | null }) => owner === undefined || user_id === owner;
  const removed = await removeSessions(db, ids, mayRemove, epochSeconds(clock));
  await Promise.all(
    removed.map((session_id) =>
      removals
        .send({ session_id, round: 0 })
        .catch((error) => log.warn("could not enqueue removal", { session_id, error: String(error) })),
    ),
  );
}

import type { Db } from "../db.ts";
import { CHANGES_AT_A_TIME, changeListed } from "../listing/change-listed.ts";
import { untilWon } from "../until-won.ts";
import { readSessions } from "./read-sessions.ts";
import type { StoredSession } from "./session-item.ts";
import { sessionListing } from "./session-listing.ts";
import { buryEntry } from "./tombstone.ts";

/**
 * Takes sessions out of sight: afterwards no reader finds them, and what belongs to them is still to be removed.
 *
 * @param mayRemove  sessions that it refuses stay as they are
 * @param now        epoch seconds
 * @returns          ids of the sessions that were removed
 */
export async function removeSessions(
  db: Db,
  ids: readonly string[],
  mayRemove: (session: StoredSession) => boolean,
  now: number,
): Promise<string[]> {
  const removed: string[] = [];
  for (let from = 0; from < ids.length; from += CHANGES_AT_A_TIME) {
    removed.push(...(await removeSome(db, ids.slice(from, from + CHANGES_AT_A_TIME), mayRemove, now)));
  }
  return removed;
}

async function removeSome(
  db: Db,
  ids: readonly string[],
  mayRemove: (session: StoredSession) => boolean,
  now: number,
): Promise<string[]> {
  const tryOnce = async () => {
    const sessions = (await readSessions(db, ids)).filter(mayRemove);
    if (sessions.length === 0) return [];
    const changes = sessions.map((session) => ({
      before: session,
      entries: [buryEntry(db, session, now)],
      after: undefined,
    }));
    const { written } = await changeListed(db, sessionListing, changes, now);
    // Where somebody else removed one of them meanwhile, the others are tried again.
    return written ? sessions.map(({ session_id }) => session_id) : undefined;
  };
  return untilWon(tryOnce, () => new Error("the sessions were changed by others again and again"));
}

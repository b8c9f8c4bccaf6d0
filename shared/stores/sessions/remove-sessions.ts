import { auditedChange } from "../audit/audit-item.ts";
import type { Db } from "../db.ts";
import { removeListed } from "../listing/change-listed.ts";
import { readSessions, type StoredSession } from "./session-item.ts";
import { sessionListing } from "./session-listing.ts";
import { tombstoneOf } from "./tombstone.ts";

/**
 * Removes sessions: afterwards no reader finds them, and their runs are still to be purged.
 *
 * @param mayRemove  sessions that it refuses stay as they are
 * @param now        epoch seconds
 * @returns          ids of the sessions that were removed
 */
export const removeSessions = (
  db: Db,
  ids: readonly string[],
  mayRemove: (session: StoredSession) => boolean,
  now: number,
): Promise<string[]> => removeListed(db, sessionListing, removal, { ids, mayRemove }, now);

const removal = {
  read: readSessions,
  idOf: ({ session_id }: StoredSession) => session_id,
  tombstone: tombstoneOf,
  audited: (db: Db, { session_id, user_id, session_type, component_id, created_at }: StoredSession) =>
    auditedChange(db, {
      on_behalf_of: user_id,
      target: { session_id },
      before: { session_type, component_id, created_at },
    }),
};

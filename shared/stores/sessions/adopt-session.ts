import { absent, updateItem } from "../../data/index.ts";
import type { Db } from "../db.ts";
import { changeListed } from "../listing/change-listed.ts";
import { getSession, type StoredSession, sessionKey } from "./session-item.ts";
import { sessionListing } from "./session-listing.ts";

/**
 * Assigns a session that was created without a component to the component of its first run.
 *
 * @param now  epoch seconds
 * @returns    the session as it is now; undefined when it was removed
 */
export async function adoptSession(
  db: Db,
  session: StoredSession,
  componentId: string,
  now: number,
): Promise<StoredSession | undefined> {
  const adopted = { ...session, component_id: componentId };
  const { session_id, created_at } = session;
  const adopts = updateItem("sessions", sessionKey(session_id), {
    set: { component_id: componentId },
    guard: { created_at, component_id: absent, deleted_at: absent },
  });
  const change = { before: session, parts: { session: adopts }, after: adopted };
  const { written } = await changeListed(db, sessionListing, [change], now);
  return written ? adopted : getSession(db, session_id);
}

import type { Db } from "../db.ts";
import { changeListed } from "../listing/change-listed.ts";
import { getSession } from "./get-session.ts";
import type { StoredSession } from "./session-item.ts";
import { sessionKey } from "./session-keys.ts";
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
  const entry = {
    Update: {
      TableName: db.tables.sessions,
      Key: sessionKey(session_id),
      UpdateExpression: "SET component_id = :component",
      ConditionExpression:
        "created_at = :created_at AND attribute_not_exists(component_id) AND attribute_not_exists(deleted_at)",
      ExpressionAttributeValues: { ":component": componentId, ":created_at": created_at },
    },
  };
  const change = { before: session, entries: [entry], after: adopted };
  const { written } = await changeListed(db, sessionListing, [change], now);
  return written ? adopted : getSession(db, session_id);
}

import { type Caller, callerOf } from "../../shared/auth/caller.ts";
import type { Principal } from "../../shared/auth/principal.ts";
import { requireDatabase, SESSION_TABLE } from "../../shared/domain/databases/database.ts";
import { notFound } from "../../shared/errors.ts";
import { noteOwner } from "../../shared/runtime/audit-scope.ts";
import type { SessionType } from "../../shared/schemas/sessions/session.ts";
import type { Db } from "../../shared/stores/db.ts";
import { getSession, type StoredSession } from "../../shared/stores/sessions/session-item.ts";

export type SessionQuery = {
  readonly type?: SessionType | undefined;
  readonly user_id?: string | undefined;
  readonly db_id?: string | undefined;
  readonly table?: string | undefined;
};

/** Whose sessions a request is about: the caller's own, or for an admin those of the user it names, or everybody's. */
export const requestedOwner = (caller: Caller, { user_id }: SessionQuery): string | undefined =>
  caller.seesAll ? user_id : caller.user_id;

/**
 * The session that a request is about.
 *
 * @throws ServiceError NOT_FOUND for one that is unknown, another user's, or of another type than asked
 * @decided a wrong `type` is 404: read as another type, a session would show fields that it does not have
 */
export async function visibleSession(
  db: Db,
  principal: Principal,
  sessionId: string,
  query: SessionQuery,
): Promise<StoredSession> {
  requireDatabase(query, SESSION_TABLE);
  const owner = requestedOwner(callerOf(principal), query);
  const session = await getSession(db, sessionId);
  const isVisible = session && (owner === undefined || session.user_id === owner);
  if (!isVisible || (query.type !== undefined && session.session_type !== query.type)) {
    throw notFound("session", sessionId);
  }
  noteOwner(session.user_id);
  return session;
}

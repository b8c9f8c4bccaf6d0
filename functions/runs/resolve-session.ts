import type { Caller } from "../../shared/auth/caller.ts";
import { notFound } from "../../shared/errors.ts";
import type { Db } from "../../shared/stores/db.ts";
import { getSession } from "../../shared/stores/sessions/get-session.ts";
import type { StoredSession } from "../../shared/stores/sessions/session-item.ts";

/** The session that a new run belongs to. */
export type RunSession =
  | { readonly isNew: true; readonly session_id: string }
  | { readonly isNew: false; readonly session_id: string; readonly session: StoredSession };

/**
 * @param asked  the client's session id; a new one is made when absent
 * @throws ServiceError NOT_FOUND when the session is somebody else's or another component's: the same text for both
 * @source contract, runs-and-queue 1.2; sessions section 10
 */
export async function resolveSession(
  db: Db,
  caller: Caller,
  componentId: string,
  asked: string | undefined,
  newSessionId: () => string,
): Promise<RunSession> {
  if (asked === undefined) return { isNew: true, session_id: newSessionId() };
  const session = await getSession(db, asked);
  if (!session) return { isNew: true, session_id: asked };
  const isOwn = caller.seesAll || session.user_id === caller.user_id;
  if (!isOwn || session.component_id !== componentId) throw notFound("session", asked);
  return { isNew: false, session_id: asked, session };
}

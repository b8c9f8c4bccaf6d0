import type { Caller } from "../../auth/caller.ts";
import { notFound } from "../../errors.ts";
import type { Db } from "../../stores/db.ts";
import { adoptSession } from "../../stores/sessions/adopt-session.ts";
import { getSession } from "../../stores/sessions/get-session.ts";
import type { StoredSession } from "../../stores/sessions/session-item.ts";
import type { Component } from "../for-kind.ts";

/** The session that a new run belongs to. */
export type RunSession =
  | { readonly isNew: true; readonly session_id: string }
  | { readonly isNew: false; readonly session_id: string; readonly session: StoredSession };

/**
 * A session that was created without a component belongs to the one that runs in it first.
 *
 * @param sessionId  the client's session id; a new one is made when absent
 * @param now        epoch seconds
 * @throws ServiceError NOT_FOUND when the session is another user's or another component's: the same text for both
 * @source contract, runs-and-queue 1.2; sessions section 10
 */
export async function resolveSession(
  { db, newSessionId }: { readonly db: Db; readonly newSessionId: () => string },
  caller: Caller,
  component: Component,
  sessionId: string | undefined,
  now: number,
): Promise<RunSession> {
  if (sessionId === undefined) return { isNew: true, session_id: newSessionId() };
  const found = await getSession(db, sessionId);
  if (!found) return { isNew: true, session_id: sessionId };
  const isOwn = caller.seesAll || found.user_id === caller.user_id;
  if (!isOwn || found.session_type !== component.kind) throw notFound("session", sessionId);
  const session = found.component_id === undefined ? await adoptSession(db, found, component.id, now) : found;
  if (session?.component_id !== component.id) throw notFound("session", sessionId);
  return { isNew: false, session_id: sessionId, session };
}

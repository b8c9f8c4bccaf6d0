import { type Caller, callerOf } from "../../shared/auth/caller.ts";
import { requireDatabase, SESSION_TABLE } from "../../shared/domain/databases/database.ts";
import { refuseChatSession } from "../../shared/domain/sessions/chat-session.ts";
import { ServiceError } from "../../shared/errors.ts";
import { type Handler, type HandlerRequest, Reply } from "../../shared/http/handler.ts";
import type { sessionRoutes } from "../../shared/routes/sessions.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { StoredSession } from "../../shared/stores/sessions/session-item.ts";
import { createSession as storeSession } from "../../shared/stores/sessions/session-writes.ts";
import { sessionDetail } from "./session-detail.ts";
import { withoutNulls } from "./session-fields.ts";
import type { SessionsDeps } from "./sessions-deps.ts";

type Request = HandlerRequest<typeof sessionRoutes.createSession>;

/** @source docs/interface/sessions.md 3.1 */
export const createSession: Handler<typeof sessionRoutes.createSession, SessionsDeps> = async (
  request,
  deps,
) => {
  requireDatabase(request.query, SESSION_TABLE);
  const caller = callerOf(request.principal);
  refuseChatSession(request.body.session_id ?? undefined);
  const session = newSession(request, caller, deps);
  const created = await storeSession(deps.db, session);
  if (!created.created) throw idTaken(session.session_id, caller, created.seen);
  return new Reply(201, withoutNulls(await sessionDetail(session, deps)));
};

function newSession({ body, query }: Request, caller: Caller, deps: SessionsDeps): StoredSession {
  const now = epochSeconds(deps.clock);
  const component_id = body[`${query.type}_id`];
  return {
    session_id: body.session_id ?? deps.newSessionId(),
    session_type: query.type,
    ...(component_id != null && { component_id }),
    // The credential decides; only an admin may name another user.
    user_id: caller.seesAll ? (body.user_id ?? query.user_id ?? caller.user_id) : caller.user_id,
    ...(body.session_name != null && { session_name: body.session_name }),
    session_state: body.session_state ?? {},
    ...(body.metadata && { metadata: body.metadata }),
    input_tokens: 0,
    output_tokens: 0,
    total_tokens: 0,
    created_at: now,
    updated_at: now,
  };
}

/** A caller who may see the session learns how to change it; others learn nothing about it. */
function idTaken(id: string, caller: Caller, seen: StoredSession | undefined): ServiceError {
  const isOwn = seen && (caller.seesAll || seen.user_id === caller.user_id);
  const detail = isOwn
    ? `session ${id} exists already; change it with PATCH /sessions/${id}`
    : `session id ${id} cannot be used; choose another one`;
  return new ServiceError("CONFLICT", detail);
}

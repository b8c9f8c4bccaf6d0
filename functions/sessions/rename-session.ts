import { refuseChatSession } from "../../shared/domain/sessions/chat-session.ts";
import { notFound } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { sessionRoutes } from "../../shared/routes/sessions.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { updateSession } from "../../shared/stores/sessions/update-session.ts";
import { findName } from "./find-name.ts";
import { sessionDetail } from "./session-detail.ts";
import type { SessionsDeps } from "./sessions-deps.ts";
import { visibleSession } from "./visible-session.ts";

type Needs = Pick<SessionsDeps, "db" | "clock" | "findRunnable" | "models" | "dailyBudgets" | "newSessionId">;

/** Names a session. An empty name is a name. The session of a chat is the chat's alone. */
export const renameSession: Handler<typeof sessionRoutes.renameSession, Needs> = async (
  { params, query, body, principal, signal },
  deps,
) => {
  refuseChatSession(params.session_id);
  const session = await visibleSession(deps.db, principal, params.session_id, query);
  const session_name = body.session_name ?? (await findName(session, principal.user_id, deps, signal));
  const renamed = await updateSession(deps.db, session, { session_name }, epochSeconds(deps.clock));
  if (!renamed) throw notFound("session", params.session_id);
  return sessionDetail(renamed, deps);
};

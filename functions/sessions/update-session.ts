import { notFound } from "../../shared/errors.ts";
import type { Handler, HandlerRequest } from "../../shared/http/handler.ts";
import type { sessionRoutes } from "../../shared/routes/sessions.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import {
  type SessionChange,
  updateSession as storeChange,
} from "../../shared/stores/sessions/update-session.ts";
import { sessionDetail } from "./session-detail.ts";
import type { SessionsDeps } from "./sessions-deps.ts";
import { visibleSession } from "./visible-session.ts";

type Needs = Pick<SessionsDeps, "db" | "clock" | "findRunnable" | "models">;

/** @source docs/interface/sessions.md 4.2 */
export const updateSession: Handler<typeof sessionRoutes.updateSession, Needs> = async (
  { params, query, body, principal },
  deps,
) => {
  const session = await visibleSession(deps.db, principal, params.session_id, query);
  const change = changeOf(body);
  if (Object.keys(change).length === 0) return sessionDetail(session, deps);
  const updated = await storeChange(deps.db, session, change, epochSeconds(deps.clock));
  if (!updated) throw notFound("session", params.session_id);
  return sessionDetail(updated, deps);
};

/** What is null stays as it is. */
function changeOf({
  session_name,
  session_state,
  metadata,
  summary,
}: HandlerRequest<typeof sessionRoutes.updateSession>["body"]): SessionChange {
  return {
    ...(session_name != null && { session_name }),
    ...(session_state && { session_state }),
    ...(metadata && { metadata }),
    ...(summary && { summary }),
  };
}

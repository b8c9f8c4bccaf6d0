import type { Handler } from "../../shared/http/handler.ts";
import { Reply } from "../../shared/http/handler.ts";
import type { sessionRoutes } from "../../shared/routes/sessions.ts";
import { sessionDetail } from "./session-detail.ts";
import { withoutNulls } from "./session-fields.ts";
import type { SessionsDeps } from "./sessions-deps.ts";
import { visibleSession } from "./visible-session.ts";

type Needs = Pick<SessionsDeps, "db" | "clock" | "findRunnable" | "models">;

export const getSession: Handler<typeof sessionRoutes.getSession, Needs> = async (
  { params, query, principal },
  deps,
) => {
  const session = await visibleSession(deps.db, principal, params.session_id, query);
  return new Reply(200, withoutNulls(await sessionDetail(session, deps, query.history_runs)));
};

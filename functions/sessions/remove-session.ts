import type { Handler } from "../../shared/http/handler.ts";
import type { sessionRoutes } from "../../shared/routes/sessions.ts";
import { removeVisible } from "./remove-visible.ts";
import type { SessionsDeps } from "./sessions-deps.ts";

/** Answers the same for a session that is unknown or another user's. */
export const removeSession: Handler<typeof sessionRoutes.removeSession, SessionsDeps> = async (
  { params, query, principal },
  deps,
) => {
  await removeVisible(deps, principal, [params.session_id], query);
  return undefined;
};

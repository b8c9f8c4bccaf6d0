import { ServiceError } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { sessionRoutes } from "../../shared/routes/sessions.ts";
import { removeVisible } from "./remove-visible.ts";
import type { SessionsDeps } from "./sessions-deps.ts";

/** Removes by id; the types are counted and otherwise ignored. @source docs/interface/sessions.md 4.1 */
export const removeSessions: Handler<typeof sessionRoutes.removeSessions, SessionsDeps> = async (
  { body, query, principal },
  deps,
) => {
  const { session_ids, session_types } = body;
  if (session_ids.length !== session_types.length) {
    throw new ServiceError("BAD_REQUEST", "session_ids and session_types must be of the same length");
  }
  await removeVisible(deps, principal, [...new Set(session_ids)], query);
  return undefined;
};

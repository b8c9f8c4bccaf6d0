import type { Handler } from "../../shared/http/handler.ts";
import type { sessionRoutes } from "../../shared/routes/sessions.ts";
import { sessionRunRow } from "../../shared/stores/runs/run-row.ts";
import { withoutNulls } from "./session-fields.ts";
import type { SessionsDeps } from "./sessions-deps.ts";
import { shownSessionRuns } from "./shown-session-runs.ts";

type Needs = Pick<SessionsDeps, "db" | "clock">;

/**
 * The runs of a session, member runs of a team as their own entries.
 *
 * @source docs/interface/sessions.md 5.4, 5.5
 */
export const listSessionRuns: Handler<typeof sessionRoutes.listSessionRuns, Needs> = (request, deps) =>
  shownSessionRuns(request, deps, (sessionType, run) => withoutNulls(sessionRunRow(sessionType, run)));

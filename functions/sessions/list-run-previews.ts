import type { Handler } from "../../shared/http/handler.ts";
import type { sessionRoutes } from "../../shared/routes/sessions.ts";
import { runPreview } from "../../shared/stores/runs/run-row.ts";
import { withoutNulls } from "./session-fields.ts";
import type { SessionsDeps } from "./sessions-deps.ts";
import { shownSessionRuns } from "./shown-session-runs.ts";

type Needs = Pick<SessionsDeps, "db" | "clock">;

/** The runs of a session with the beginning of what was asked and answered, for clients that poll. */
export const listRunPreviews: Handler<typeof sessionRoutes.listRunPreviews, Needs> = (request, deps) =>
  shownSessionRuns(request, deps, (_sessionType, run) => withoutNulls(runPreview(run)));

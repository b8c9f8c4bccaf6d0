import { notFound } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { sessionRoutes } from "../../shared/routes/sessions.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { signMadeMedia } from "../../shared/stores/objects/show-media.ts";
import { withProgress } from "../../shared/stores/runs/checkpoint.ts";
import { getRun } from "../../shared/stores/runs/get-run.ts";
import { sessionRunRow } from "../../shared/stores/runs/run-row.ts";
import type { SessionsDeps } from "./sessions-deps.ts";
import { visibleSession } from "./visible-session.ts";

type Needs = Pick<SessionsDeps, "db" | "clock">;

/** One run, nulls included; a run in progress with what it has said and done so far. */
export const getSessionRun: Handler<typeof sessionRoutes.getSessionRun, Needs> = async (
  { params, query, principal },
  { db, clock },
) => {
  const { session_id, run_id } = params;
  const session = await visibleSession(db, principal, session_id, query);
  const run = await getRun(db, { owner: session.user_id, session_id, run_id }, epochSeconds(clock));
  if (!run) throw notFound("run", run_id);
  const { output, ...record } = await withProgress(db, run);
  return sessionRunRow(session.session_type, { ...record, output: await signMadeMedia(db, output) });
};

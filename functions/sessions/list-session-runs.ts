import { type Handler, Reply } from "../../shared/http/handler.ts";
import { MAX_ANSWER_BYTES } from "../../shared/http/max-answer-bytes.ts";
import type { sessionRoutes } from "../../shared/routes/sessions.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { listRunsBetween } from "../../shared/stores/runs/list-runs-between.ts";
import type { StoredRun } from "../../shared/stores/runs/run-item.ts";
import { sessionRunRow } from "../../shared/stores/runs/run-row.ts";
import { withoutNulls } from "./session-fields.ts";
import type { SessionsDeps } from "./sessions-deps.ts";
import { visibleSession } from "./visible-session.ts";

type Needs = Pick<SessionsDeps, "db" | "clock">;

/**
 * The runs of a session in order of creation, member runs of a team as their own entries.
 *
 * @source contract, sessions section 9
 * @decided an answer has an end, a session has none: where not all runs fit, the newest are shown, and a header names
 *          the bound that gives the ones before them
 */
export const listSessionRuns: Handler<typeof sessionRoutes.listSessionRuns, Needs> = async (
  { params, query, principal },
  { db, clock },
) => {
  const session = await visibleSession(db, principal, params.session_id, query);
  const { created_after, created_before } = query;
  const rowOf = (run: StoredRun) => withoutNulls(sessionRunRow(session.session_type, run));
  const weigh = (run: StoredRun) => Buffer.byteLength(JSON.stringify(rowOf(run)));
  const { runs, cut } = await listRunsBetween(
    db,
    session.user_id,
    session.session_id,
    { created_after, created_before, maxBytes: MAX_ANSWER_BYTES, weigh },
    epochSeconds(clock),
  );
  const headers = cut && runs[0] ? { "x-created-before": String(runs[0].output.created_at) } : {};
  return new Reply(200, runs.map(rowOf), headers);
};

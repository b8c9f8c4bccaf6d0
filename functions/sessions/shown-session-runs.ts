import { hasSaidAnything } from "../../shared/domain/runs/output-so-far.ts";
import { runStatusesOf } from "../../shared/domain/runs/run-statuses-of.ts";
import { notFound } from "../../shared/errors.ts";
import { type HandlerRequest, JsonText, Reply } from "../../shared/http/handler.ts";
import { MAX_ANSWER_BYTES } from "../../shared/http/max-answer-bytes.ts";
import type { sessionRoutes } from "../../shared/routes/sessions.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { SessionType } from "../../shared/schemas/sessions/session.ts";
import { signMadeMedia } from "../../shared/stores/objects/show-media.ts";
import { withProgress } from "../../shared/stores/runs/checkpoint.ts";
import { getRun } from "../../shared/stores/runs/get-run.ts";
import { listRunsBetween, type Shown } from "../../shared/stores/runs/listing/list-runs-between.ts";
import type { StoredRun } from "../../shared/stores/runs/run-item.ts";
import type { SessionsDeps } from "./sessions-deps.ts";
import { visibleSession } from "./visible-session.ts";

type Request = Pick<HandlerRequest<typeof sessionRoutes.listSessionRuns>, "params" | "query" | "principal">;
type Needs = Pick<SessionsDeps, "db" | "clock">;
type Row = Readonly<Record<string, unknown>>;

/**
 * The runs of a session in order of creation, those that go on with what they have said and done so far.
 *
 * A foreground run of which nothing is known yet but that it has begun is left out, unless runs of that status are asked
 * for: the peer lists such a run only after its end, and its UI replaces what it is streaming by what the list says.
 * For the same reason a session that has no other run is not found yet.
 *
 * @param rowOf  how a run is shown
 * @throws ServiceError NOT_FOUND as `visibleSession`, and while nothing is known of the only run;
 *         BAD_REQUEST for an unknown status
 * @decided an answer has an end, a session has none: where not all runs fit, the newest are shown, and headers name
 *          the bounds that give the ones before them
 */
export async function shownSessionRuns(
  { params, query, principal }: Request,
  { db, clock }: Needs,
  rowOf: (sessionType: SessionType, run: StoredRun) => Row,
): Promise<Reply> {
  const statuses = query.status && runStatusesOf(query.status);
  const session = await visibleSession(db, principal, params.session_id, query);
  const { created_after, created_before, before_run_id, limit } = query;
  const now = epochSeconds(clock);
  let isSilent = false;
  const signed = async (run: StoredRun) => ({ ...run, output: await signMadeMedia(db, run.output) });
  const shownOf = async (run: StoredRun): Promise<StoredRun | undefined> => {
    const shown = await withProgress(db, run);
    const isShown = run.status !== "RUNNING" || run.queued || statuses || hasSaidAnything(shown.output);
    if (isShown) return signed(shown);
    // It may have ended since its record was read: the last events of a run are stored with its end.
    const again = await getRun(db, run, now);
    if (again && again.status !== "RUNNING") return signed(again);
    isSilent = true;
    return undefined;
  };
  // Each run is serialized once: its text is measured, and sent.
  const show = async (run: StoredRun): Promise<Shown<string> | undefined> => {
    const shown = await shownOf(run);
    if (!shown) return undefined;
    const value = JSON.stringify(rowOf(session.session_type, shown));
    return { value, bytes: Buffer.byteLength(value) };
  };
  const { shown, cutAt } = await listRunsBetween(
    db,
    session.user_id,
    session.session_id,
    { created_after, created_before, before_run_id, statuses, limit, show, maxBytes: MAX_ANSWER_BYTES },
    now,
  );
  const isBounded = [created_after, created_before, before_run_id].some((bound) => bound !== undefined);
  if (shown.length === 0 && isSilent && !isBounded) throw notFound("session", params.session_id);
  return new Reply(200, new JsonText(`[${shown.join(",")}]`), cutAt && boundsBefore(cutAt));
}

/** What asks for the runs before one: its time, inclusive, or its id. */
const boundsBefore = ({ run_id, output }: StoredRun): Record<string, string> => ({
  "x-created-before": String(output.created_at),
  "x-before-run-id": run_id,
});

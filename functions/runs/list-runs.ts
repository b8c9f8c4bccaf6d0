import { callerOf } from "../../shared/auth/caller.ts";
import { readableKinds } from "../../shared/auth/scopes/readable-kinds.ts";
import { isoTime } from "../../shared/domain/iso-time.ts";
import { beginningOf } from "../../shared/domain/runs/beginning-of.ts";
import { errorText } from "../../shared/domain/runs/outcome-of-run.ts";
import { searchTerms } from "../../shared/domain/runs/run-search.ts";
import { runStatusesOf } from "../../shared/domain/runs/run-statuses-of.ts";
import { decodeCursor, encodeCursor } from "../../shared/http/cursor.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { runRoutes } from "../../shared/routes/runs.ts";
import type { RunsDeps } from "../../shared/runs/index.ts";
import { EVERYBODY, noteOwner } from "../../shared/runtime/audit-scope.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { judgedAs } from "../../shared/schemas/feedback/judged-as.ts";
import type { ListedRun } from "../../shared/schemas/runs/run-list.ts";
import { findRuns } from "../../shared/stores/runs/listing/find-runs.ts";
import type { RunSummary } from "../../shared/stores/runs/listing/run-summary.ts";

type Needs = Pick<RunsDeps, "db" | "clock">;

/**
 * One page of the runs of all sessions.
 *
 * @throws ServiceError UNAUTHORIZED for a caller who may read none of the requested kinds; BAD_REQUEST for an unknown
 *         status, and for a cursor that is not of this list
 * @decided ours; as in other lists a user_id that is not the caller's own is ignored where the caller is no admin
 */
export const listRuns: Handler<typeof runRoutes.listRuns, Needs> = async (
  { query, principal },
  { db, clock },
) => {
  const { limit, cursor, ...filter } = query;
  const caller = callerOf(principal);
  const kinds = readableKinds(principal, filter);
  const { status, user_id, q, feedback, component_type: _, ...rest } = filter;
  const owner = caller.seesAll ? user_id : caller.user_id;
  noteOwner(owner ?? EVERYBODY);
  const wanted = {
    ...rest,
    kinds,
    limit,
    owner,
    statuses: status && runStatusesOf(status),
    judged: feedback === undefined ? undefined : judgedAs(feedback),
    terms: q === undefined ? undefined : searchTerms(q),
    after_place: cursor === undefined ? undefined : decodeCursor(cursor, filter),
  };
  const { runs, next_place, looked_at } = await findRuns(db, wanted, epochSeconds(clock));
  const next_cursor = next_place === undefined ? null : encodeCursor(next_place, filter);
  const { runs: count, back_to } = looked_at;
  const looked = { runs: count, back_to: back_to === undefined ? null : isoTime(back_to) };
  return { data: runs.map(listedRun), meta: { next_cursor, limit, looked_at: looked } };
};

const PREVIEW_CHARS = 200;

/** A run as the list over all sessions shows it. */
function listedRun({ owner, updated_at, output, ...run }: RunSummary): ListedRun {
  const { input, content, metrics = {}, total_metrics, model, model_provider, created_at } = output;
  // A record of an earlier release has its own alone.
  const { duration, input_tokens, output_tokens, total_tokens, cost } = total_metrics ?? metrics;
  const isError = run.status === "ERROR";
  const said = beginningOf(isError ? errorText(output) : content, PREVIEW_CHARS);
  return {
    ...run,
    ...(owner !== null && { user_id: owner }),
    created_at: isoTime(created_at),
    ...(updated_at !== undefined && { updated_at: isoTime(updated_at) }),
    duration,
    input_tokens,
    output_tokens,
    total_tokens,
    cost,
    model,
    model_provider,
    input_preview: beginningOf(input.input_content, PREVIEW_CHARS) ?? "",
    ...(said !== undefined && { [isError ? "error" : "content_preview"]: said }),
  };
}

import { callerOf } from "../../shared/auth/caller.ts";
import { readableKinds } from "../../shared/auth/scopes/readable-kinds.ts";
import { ServiceError } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { runRoutes } from "../../shared/routes/runs.ts";
import { type CancelDeps, cancelFoundRun } from "../../shared/runs/index.ts";
import { EVERYBODY, noteOwner } from "../../shared/runtime/audit-scope.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { RunStatus } from "../../shared/schemas/runs/run.ts";
import type { Db } from "../../shared/stores/db.ts";
import { getRunHead } from "../../shared/stores/runs/get-run.ts";
import { findRuns, PAGE_DEPTH, type RunsQuery } from "../../shared/stores/runs/listing/find-runs.ts";
import type { RunSummary } from "../../shared/stores/runs/listing/run-summary.ts";

/** Runs that are looked at for those that are live. */
const DEPTH = 10_000;
/** Runs that are written at a time: a thousand then fit into one request. */
const AT_A_TIME = 10;
const NOT_REACHED = "the request ran out of time before this run; repeat it";

/**
 * Cancels many runs that have not ended, the newest first. If it breaks off, some are cancelled and the others unchanged;
 * the same request continues.
 *
 * @throws ServiceError UNAUTHORIZED for a caller who may run none of the requested kinds
 * @decided ours; the interface cancels one run at a time, and a job of the queue is none that is answered in the foreground
 */
export const cancelRuns: Handler<typeof runRoutes.cancelRuns, CancelDeps> = async (
  { body, principal, signal },
  deps,
) => {
  const { status, user_id, component_type: _, limit, dry_run, ...rest } = body;
  const caller = callerOf(principal);
  const kinds = readableKinds(principal, body, "run");
  const owner = caller.seesAll ? user_id : caller.user_id;
  noteOwner(owner ?? EVERYBODY);
  const now = epochSeconds(deps.clock);
  const wanted = { ...rest, kinds, owner, statuses: new Set<RunStatus>(status), limit };
  const { runs, more } = await liveRuns(deps.db, wanted, now);
  const answer = { dry_run, matched: runs.length, more };
  if (dry_run) return { ...answer, cancelled: runs.map(({ run_id }) => run_id), refused: [] };
  const cancelled: string[] = [];
  const refused: { id: string; detail: string }[] = [];
  for (let from = 0; from < runs.length; from += AT_A_TIME) {
    const wave = runs.slice(from, from + AT_A_TIME);
    const details = await Promise.all(
      wave.map((run) => (signal.aborted ? NOT_REACHED : cancelOne(deps, run, now))),
    );
    for (const [at, { run_id }] of wave.entries()) {
      const detail = details[at];
      if (detail === undefined) cancelled.push(run_id);
      else refused.push({ id: run_id, detail });
    }
  }
  return { ...answer, cancelled, refused };
};

async function liveRuns(
  db: Db,
  query: RunsQuery,
  now: number,
): Promise<{ readonly runs: readonly RunSummary[]; readonly more: boolean }> {
  const runs: RunSummary[] = [];
  let after_place: string | undefined;
  for (let seen = 0; seen < DEPTH; seen += PAGE_DEPTH) {
    const page = await findRuns(db, { ...query, after_place, limit: query.limit - runs.length }, now);
    runs.push(...page.runs);
    after_place = page.next_place;
    if (after_place === undefined || runs.length >= query.limit) break;
  }
  return { runs, more: after_place !== undefined };
}

/** @returns why it was not cancelled */
async function cancelOne(
  deps: CancelDeps,
  { run_id, ...of }: RunSummary,
  now: number,
): Promise<string | undefined> {
  const run = await getRunHead(deps.db, { ...of, run_id }, now);
  if (!run) return `session ${of.session_id} was deleted, and run ${run_id} with it`;
  const hasEnded = run.status !== "PENDING" && run.status !== "RUNNING" && run.status !== "PAUSED";
  if (hasEnded) return `run ${run_id} is ${run.status} by now`;
  try {
    await cancelFoundRun(deps, run, now);
  } catch (error) {
    if (error instanceof ServiceError) return error.message;
    throw error;
  }
  return undefined;
}

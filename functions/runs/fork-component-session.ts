import { callerOf } from "../../shared/auth/caller.ts";
import { refuseChatSession } from "../../shared/domain/sessions/chat-session.ts";
import { ServiceError } from "../../shared/errors.ts";
import type { runRoutes } from "../../shared/routes/runs.ts";
import { type RunsDeps, type RunsRequest, requireComponent } from "../../shared/runs/index.ts";
import { noteOwner } from "../../shared/runtime/audit-scope.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { listRuns } from "../../shared/stores/runs/listing/list-runs.ts";
import type { StoredRun } from "../../shared/stores/runs/run-item.ts";
import { getSession, type StoredSession } from "../../shared/stores/sessions/session-item.ts";
import { copySession } from "../../shared/stores/transactions/copy-session.ts";

type Needs = Pick<RunsDeps, "db" | "clock" | "knowsRunnable" | "newRunId" | "newSessionId">;

/** Runs that one request copies at most. */
const MOST_RUNS = 500;

/**
 * Copies a session's completed runs into a new session of the caller; later changes of one do not affect the other. So an
 * admin who tries something with another user's conversation writes nothing into it, and its user does not see the copy.
 *
 * @param request.through  the last run that is copied, by its id, which says its time; all of them without it
 * @throws ServiceError BAD_REQUEST for a session that is a chat's, or that is unknown, another user's, empty, or too long
 */
export async function forkComponentSession(
  request: RunsRequest<typeof runRoutes.forkAgentSession> & { readonly through?: string },
  deps: Needs,
) {
  const { params, through } = request;
  const { session_id } = params;
  refuseChatSession(session_id);
  await requireComponent(deps, request.component);
  const caller = callerOf(request.principal);
  const now = epochSeconds(deps.clock);
  const session = await getSession(deps.db, session_id);
  const isVisible = session && (caller.seesAll || session.user_id === caller.user_id);
  const { kind, id } = request.component;
  const runs =
    isVisible && session.session_type === kind && session.component_id === id
      ? await listRuns(deps.db, session.user_id, session_id, now)
      : [];
  const completed = runs.filter(
    ({ status, run_id }) => status === "COMPLETED" && (through === undefined || run_id <= through),
  );
  if (!session || completed.length === 0) {
    throw new ServiceError("BAD_REQUEST", `there is no session ${session_id} with completed runs`);
  }
  if (completed.length > MOST_RUNS) {
    throw new ServiceError(
      "BAD_REQUEST",
      `a session of more than ${MOST_RUNS} completed runs cannot be copied`,
    );
  }
  noteOwner(session.user_id);
  const owner = caller.user_id;
  // Its runs have other ids than those that a summary stands for.
  const { compaction: _, ...kept } = session;
  const forked: StoredSession = {
    ...kept,
    user_id: owner,
    session_id: deps.newSessionId(),
    created_at: now,
    updated_at: now,
  };
  await copySession(
    deps.db,
    forked,
    completed.map((run) => copyOf(run, { owner, session_id: forked.session_id, run_id: deps.newRunId() })),
    { owner: session.user_id, session_id },
  );
  return { session_id: forked.session_id, forked_from_session_id: session_id };
}

/** The run as the new session has it. Its events stay with the original: they were recorded under its id. */
function copyOf(
  { last_events: _e, checkpoint: _c, digests: _d, approval_ids: _a, ...run }: StoredRun,
  { owner, session_id, run_id }: Pick<StoredRun, "owner" | "session_id" | "run_id">,
): StoredRun {
  const { run_id: forked_from_run_id, session_id: forked_from_session_id } = run;
  const { user_id: _u, ...output } = run.output;
  const user = owner === null ? {} : { user_id: owner };
  return {
    ...run,
    ...{ owner, run_id, session_id, queued: false },
    output: { ...output, ...user, run_id, session_id, forked_from_run_id, forked_from_session_id },
  };
}

import { callerOf } from "../auth/caller.ts";
import { cancelRemoteTasks } from "../engine/lifecycle/cancel-remote-tasks.ts";
import { cancelRun } from "../engine/lifecycle/cancel-run.ts";
import { wakeSession } from "../engine/lifecycle/wake-waiting.ts";
import { notFound } from "../errors.ts";
import type { runRoutes } from "../routes/runs.ts";
import { epochSeconds } from "../runtime/clock.ts";
import { CANCELLATION_LIFE_SECONDS, recordCancellationById } from "../stores/runs/run-cancellation.ts";
import type { StoredRun } from "../stores/runs/run-item.ts";
import { type RunsRequest, requireComponent } from "./component.ts";
import { findRun, requireSessionId } from "./find-run.ts";
import type { RunsDeps } from "./runs-deps.ts";

/** What cancelling a run takes. */
export type CancelDeps = Pick<RunsDeps, "db" | "clock" | "queue" | "log" | "settings"> &
  Pick<RunsDeps, "callOut" | "toolSecrets" | "members">;
type Needs = CancelDeps & Pick<RunsDeps, "knowsRunnable">;

/**
 * Answers `{}` for whatever state the run is in. An admin may leave the session out, and gets the same answer for a
 * run that does not exist; everybody else must name the session, and gets 404 for what is not theirs.
 *
 * Without its session a run is known by its job only. A foreground run has none, so its cancellation is recorded under
 * its id, before the job is looked for: a run that gets one in between reads it then.
 */
export async function cancelComponentRun(request: RunsRequest<typeof runRoutes.cancelAgentRun>, deps: Needs) {
  const { run_id } = request.params;
  const { session_id } = request.query;
  await requireComponent(deps, request.component);
  const caller = callerOf(request.principal);
  requireSessionId(caller, session_id || undefined);
  const now = epochSeconds(deps.clock);
  if (!session_id) await recordCancellationById(deps.db, run_id, now + CANCELLATION_LIFE_SECONDS);
  const run = await findRun(deps.db, caller, { component: request.component, session_id, run_id }, now);
  if (!run && !caller.seesAll) throw notFound("run", run_id);
  if (!run) return {};
  await cancelFoundRun(deps, run, now);
  return {};
}

/** Cancels a run, and what it has others do elsewhere. @throws ServiceError CONFLICT when it changes again and again meanwhile */
export async function cancelFoundRun(deps: CancelDeps, run: StoredRun, now: number): Promise<void> {
  await wakeSession(deps, await cancelRun(deps.db, run, now, deps.settings.JOB_RETENTION_SECONDS));
  await cancelRemoteTasks({ ...deps, warn: deps.log.warn }, run, now);
}

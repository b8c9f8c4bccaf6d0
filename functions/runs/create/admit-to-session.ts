import { planAdmission } from "../../../shared/domain/jobs/plan-admission.ts";
import { cancelRun } from "../../../shared/engine/lifecycle/cancel-run.ts";
import { wakeSession } from "../../../shared/engine/lifecycle/wake-waiting.ts";
import { epochSeconds } from "../../../shared/runtime/clock.ts";
import type { SessionPolicy } from "../../../shared/schemas/sessions/session-policy.ts";
import { getRunHead } from "../../../shared/stores/runs/get-run.ts";
import { listLiveRuns } from "../../../shared/stores/runs/listing/live-runs.ts";
import type { StoredSession } from "../../../shared/stores/sessions/session-item.ts";
import type { RunsDeps } from "../runs-deps.ts";
import type { RunSession } from "./resolve-session.ts";

/** On what terms a run enters its session. */
export type Admission = {
  /** The session as it was read. The write of the run is refused when another run has taken a turn since. */
  readonly turnIn: StoredSession | undefined;
  /** Runs that must have ended before this one is executed, the newest first. */
  readonly waits_for: readonly string[];
};

type Needs = Pick<RunsDeps, "db" | "clock" | "queue" | "log" | "settings">;

/**
 * Applies a run's session policy: reads which runs of the session are live, and cancels them where the policy says so.
 * A new session has none; the write that creates it is refused when another request created it first.
 *
 *   read session (turn 4) ─▶ read its live runs ─▶    write the run, turn 4 → 5
 *                                                     refused when the turn is 5 already: start again
 *
 * @throws ServiceError CONFLICT where the policy is to reject and a run is live
 */
export async function admitToSession(
  deps: Needs,
  policy: SessionPolicy,
  session: RunSession,
): Promise<Admission> {
  if (policy === "parallel" || session.isNew) return { turnIn: undefined, waits_for: [] };
  const { user_id: owner, session_id } = session.session;
  const now = epochSeconds(deps.clock);
  const live = await listLiveRuns(deps.db, owner, session_id, now);
  const { interrupts, waits_for } = planAdmission(policy, live);
  await Promise.all(interrupts.map((run_id) => interrupt(deps, { owner, session_id, run_id }, now)));
  return { turnIn: session.session, waits_for };
}

async function interrupt(deps: Needs, at: Parameters<typeof getRunHead>[1], now: number): Promise<void> {
  const run = await getRunHead(deps.db, at, now);
  if (run) await wakeSession(deps, await cancelRun(deps.db, run, now, deps.settings.JOB_RETENTION_SECONDS));
}

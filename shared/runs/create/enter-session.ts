import type { Caller } from "../../auth/caller.ts";
import { planAdmission } from "../../domain/jobs/plan-admission.ts";
import { cancelRun } from "../../engine/lifecycle/cancel-run.ts";
import { wakeSession } from "../../engine/lifecycle/wake-waiting.ts";
import { notFound } from "../../errors.ts";
import { epochSeconds } from "../../runtime/clock.ts";
import type { SessionPolicy } from "../../schemas/sessions/session-policy.ts";
import type { Db } from "../../stores/db.ts";
import { getRunHead } from "../../stores/runs/get-run.ts";
import { listLiveRuns } from "../../stores/runs/listing/live-runs.ts";
import { adoptSession } from "../../stores/sessions/adopt-session.ts";
import { getSession, type StoredSession } from "../../stores/sessions/session-item.ts";
import type { Component } from "../component.ts";
import type { RunsDeps } from "../runs-deps.ts";

/** The session that a new run belongs to. */
export type RunSession =
  | { readonly isNew: true; readonly session_id: string }
  | { readonly isNew: false; readonly session_id: string; readonly session: StoredSession };

/**
 * A session that was created without a component belongs to the one that runs in it first.
 *
 * @param sessionId  the client's session id; a new one is made when absent
 * @param now        epoch seconds
 * @throws ServiceError NOT_FOUND when the session is another user's or another component's: the same text for both
 * @source docs/interface/runs.md 1.3, 1.4
 */
export async function resolveSession(
  { db, newSessionId }: { readonly db: Db; readonly newSessionId: () => string },
  caller: Caller,
  component: Component,
  sessionId: string | undefined,
  now: number,
): Promise<RunSession> {
  if (sessionId === undefined) return { isNew: true, session_id: newSessionId() };
  const found = await getSession(db, sessionId);
  if (!found) return { isNew: true, session_id: sessionId };
  const isOwn = caller.seesAll || found.user_id === caller.user_id;
  if (!isOwn || found.session_type !== component.kind) throw notFound("session", sessionId);
  const session = found.component_id === undefined ? await adoptSession(db, found, component.id, now) : found;
  if (session?.component_id !== component.id) throw notFound("session", sessionId);
  return { isNew: false, session_id: sessionId, session };
}

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

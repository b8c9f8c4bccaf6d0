import { callerOf } from "../../../shared/auth/caller.ts";
import { notFound } from "../../../shared/errors.ts";
import type { RunsDeps } from "../../../shared/runs/index.ts";
import { epochSeconds } from "../../../shared/runtime/clock.ts";
import { listRuns } from "../../../shared/stores/runs/listing/list-runs.ts";
import { isNested, type StoredRun } from "../../../shared/stores/runs/run-item.ts";
import { getSession } from "../../../shared/stores/sessions/session-item.ts";
import type { AguiRequest } from "./agui-request.ts";

export type ThreadRuns = {
  readonly state: Readonly<Record<string, unknown>>;
  /** Oldest first, without runs within runs. */
  readonly runs: readonly StoredRun[];
};

/**
 * The runs of the caller's thread; none for a thread that is new.
 *
 * @throws ServiceError NOT_FOUND for a session of another user, or of another component: the same text for both
 */
export async function threadRuns(
  { principal, component, body }: Pick<AguiRequest, "principal" | "component" | "body">,
  { db, clock }: Pick<RunsDeps, "db" | "clock">,
): Promise<ThreadRuns> {
  const caller = callerOf(principal);
  const session = await getSession(db, body.threadId);
  if (!session) return { state: {}, runs: [] };
  const isVisible = caller.seesAll || session.user_id === caller.user_id;
  const isOwn = session.session_type === component.kind && session.component_id === component.id;
  if (!isVisible || !isOwn) throw notFound("session", body.threadId);
  const runs = await listRuns(db, session.user_id, body.threadId, epochSeconds(clock));
  return { state: session.session_state ?? {}, runs: runs.filter((run) => !isNested(run)) };
}

import { callerOf } from "../../shared/auth/caller.ts";
import type { Principal } from "../../shared/auth/principal.ts";
import { notFound } from "../../shared/errors.ts";
import type { Component, RunsDeps } from "../../shared/runs/index.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { listRuns } from "../../shared/stores/runs/listing/list-runs.ts";
import { isNested, type StoredRun } from "../../shared/stores/runs/run-item.ts";
import { getSession } from "../../shared/stores/sessions/session-item.ts";

type Conversation = {
  readonly principal: Principal;
  readonly component: Component;
  readonly session_id: string;
};

export type ConversationRuns = {
  readonly state: Readonly<Record<string, unknown>>;
  /** Oldest first, without runs within runs. */
  readonly runs: readonly StoredRun[];
};

/**
 * The runs of the caller's session with a component; undefined where there is no such session.
 *
 * @throws ServiceError NOT_FOUND for a session of another user, or of another component: the same text for both
 */
export async function conversationRuns(
  { principal, component, session_id }: Conversation,
  { db, clock }: Pick<RunsDeps, "db" | "clock">,
): Promise<ConversationRuns | undefined> {
  const caller = callerOf(principal);
  const session = await getSession(db, session_id);
  if (!session) return undefined;
  const isVisible = caller.seesAll || session.user_id === caller.user_id;
  const isOwn = session.session_type === component.kind && session.component_id === component.id;
  if (!isVisible || !isOwn) throw notFound("session", session_id);
  const runs = await listRuns(db, session.user_id, session_id, epochSeconds(clock));
  return { state: session.session_state ?? {}, runs: runs.filter((run) => !isNested(run)) };
}

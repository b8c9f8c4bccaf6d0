import type { Message } from "../schemas/run.ts";
import type { SessionSummary } from "../schemas/session.ts";
import type { Db } from "../stores/db.ts";
import { listRecentRuns } from "../stores/runs/list-runs.ts";
import type { StoredRun } from "../stores/runs/run-item.ts";
import { getSession } from "../stores/sessions/get-session.ts";
import type { Agent } from "./agent.ts";

/** What a run is told of its session. */
export type SessionContext = {
  readonly history: readonly Message[];
  readonly session_summary?: SessionSummary;
};

/**
 * Reads what an agent wants to know of the session before a run begins; nothing where it does not ask or the run is
 * the first.
 *
 * @param now  epoch seconds
 */
export async function readContext(
  db: Db,
  agent: Agent,
  run: StoredRun,
  now: number,
): Promise<SessionContext> {
  if (run.opens_session) return { history: [] };
  const [history, session] = await Promise.all([
    agent.add_history_to_context ? readHistory(db, run, agent.num_history_runs, now) : [],
    agent.enable_session_summaries ? getSession(db, run.session_id) : undefined,
  ]);
  return { history, ...(session?.summary && { session_summary: session.summary }) };
}

/**
 * What the runs before this one said, oldest first.
 *
 * @param count  how many runs to go back
 * @param now    epoch seconds
 */
export async function readHistory(db: Db, run: StoredRun, count: number, now: number): Promise<Message[]> {
  const earlier = await listRecentRuns(db, run.owner, run.session_id, count, now);
  return earlier
    .filter((other) => other.run_id !== run.run_id)
    .flatMap((other) => other.output.messages ?? [])
    .filter((message) => !message.from_history && message.role !== "system")
    .map((message) => ({ ...message, from_history: true }));
}

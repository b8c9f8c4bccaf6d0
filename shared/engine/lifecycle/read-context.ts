import type { Message } from "../../schemas/runs/run.ts";
import type { SessionSummary } from "../../schemas/sessions/session.ts";
import type { Db } from "../../stores/db.ts";
import { listRecentRuns } from "../../stores/runs/list-runs.ts";
import { isNested, type StoredRun } from "../../stores/runs/run-item.ts";
import { getSession } from "../../stores/sessions/get-session.ts";
import type { Runnable } from "../define/runnable.ts";

/** What a run is told of its session. */
export type SessionContext = {
  readonly history: readonly Message[];
  readonly session_summary?: SessionSummary;
};

/**
 * Reads what an agent or a team wants to know of the session before a run begins; nothing where it does not ask or the run is
 * the first.
 *
 * @param now  epoch seconds
 */
export async function readContext(
  db: Db,
  runnable: Runnable,
  run: StoredRun,
  now: number,
): Promise<SessionContext> {
  if (run.opens_session || runnable.kind === "workflow") return { history: [] };
  const [history, session] = await Promise.all([
    runnable.add_history_to_context ? readHistory(db, run, runnable.num_history_runs, now) : [],
    runnable.enable_session_summaries ? getSession(db, run.session_id) : undefined,
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
  const isEarlier = (other: StoredRun) => other.run_id !== run.run_id && !isNested(other);
  return asHistory(await listRecentRuns(db, run, { count, counts: isEarlier }, now));
}

/**
 * What a member of a team, or an agent of a workflow, said in its own runs within earlier ones of the session, oldest
 * first.
 *
 * @param run    the team's or the workflow's
 * @param count  how many runs to go back
 * @param now    epoch seconds
 */
export async function readMemberHistory(
  db: Db,
  run: StoredRun,
  memberId: string,
  count: number,
  now: number,
): Promise<Message[]> {
  if (run.opens_session) return [];
  const isItsOwn = (other: StoredRun) => other.component_id === memberId && isNested(other);
  return asHistory(await listRecentRuns(db, run, { count, counts: isItsOwn }, now));
}

const asHistory = (runs: readonly StoredRun[]): Message[] =>
  runs
    .flatMap((other) => other.output.messages ?? [])
    .filter((message) => !message.from_history && message.role !== "system")
    .map((message) => ({ ...message, from_history: true }));

import type { Message } from "../../schemas/runs/run.ts";
import type { Compaction } from "../../schemas/sessions/compaction.ts";
import type { SessionSummary } from "../../schemas/sessions/session.ts";
import type { Db } from "../../stores/db.ts";
import { listRecentRuns } from "../../stores/runs/listing/list-runs.ts";
import { isNested, type StoredRun } from "../../stores/runs/run-item.ts";
import { getSessionHead } from "../../stores/sessions/get-session.ts";
import { showsSummary } from "../define/agent.ts";
import type { Runnable } from "../define/runnable.ts";
import type { Exchange } from "../ports/engine-ports.ts";

/** What a run gets from its session. */
export type SessionContext = {
  readonly history: readonly Message[];
  readonly session_summary?: SessionSummary;
};

/**
 * Reads what an agent or a team is configured to get from the session before a run begins; nothing for the first run.
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
  const [runs, session] = await Promise.all([
    runnable.add_history_to_context ? earlierRuns(db, run, runnable.num_history_runs, now) : [],
    showsSummary(runnable) || run.compacted ? getSessionHead(db, run.session_id) : undefined,
  ]);
  const compaction = runnable.add_history_to_context ? session?.compaction : undefined;
  const summary = showsSummary(runnable) ? session?.summary : undefined;
  return { history: withSummary(runs, compaction), ...(summary && { session_summary: summary }) };
}

/** The messages of runs, with a summary instead of those that it stands for. */
function withSummary(runs: readonly StoredRun[], compaction: Compaction | undefined): Message[] {
  if (!compaction) return asHistory(runs);
  const { summary, through_run_id, created_at } = compaction;
  const stands: Message = {
    id: `summary-${through_run_id}`,
    role: "user",
    content: `Summary of the conversation before:\n${summary}`,
    from_history: true,
    stop_after_tool_call: false,
    created_at,
  };
  return [stands, ...asHistory(runs.filter(({ run_id }) => run_id > through_run_id))];
}

/**
 * The messages of the runs before this one, oldest first.
 *
 * @param count  how many runs to go back
 * @param now    epoch seconds
 */
export async function readHistory(db: Db, run: StoredRun, count: number, now: number): Promise<Message[]> {
  return asHistory(await earlierRuns(db, run, count, now));
}

function earlierRuns(db: Db, run: StoredRun, count: number, now: number): Promise<StoredRun[]> {
  const isEarlier = (other: StoredRun) => other.run_id !== run.run_id && !isNested(other);
  return listRecentRuns(db, run, { count, counts: isEarlier }, now);
}

/**
 * The messages of a team's member, or a workflow's agent, in its own runs within earlier runs of the session, oldest
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
  const isMembers = (other: StoredRun) => other.component_id === memberId && isNested(other);
  return asHistory(await listRecentRuns(db, run, { count, counts: isMembers }, now));
}

/**
 * What the runs before this one were given and answered, oldest first; those that did not complete are left out.
 *
 * @param count  how many runs to go back
 * @param now    epoch seconds
 */
export async function readExchanges(db: Db, run: StoredRun, count: number, now: number): Promise<Exchange[]> {
  if (run.opens_session) return [];
  const completed = (await earlierRuns(db, run, count, now)).filter(({ status }) => status === "COMPLETED");
  return completed.map(({ output: { input, content } }) => ({
    input: input.input_content,
    content: typeof content === "string" ? content : JSON.stringify(content ?? ""),
  }));
}

const asHistory = (runs: readonly StoredRun[]): Message[] =>
  runs
    .flatMap((other) => other.output.messages ?? [])
    .filter((message) => !message.from_history && message.role !== "system")
    .map((message) => ({ ...message, from_history: true }));

import * as v from "valibot";
import { type PendingState, type StateChanges, withoutChanges } from "../../domain/sessions/session-state.ts";
import { DEFAULT_RUNS, type HistoryLimits, READ_RUNS, shownRuns } from "../../domain/sessions/shown-runs.ts";
import { ClientTool } from "../../schemas/runs/client-tool.ts";
import { GivenHistory } from "../../schemas/runs/given-history.ts";
import type { PromptDigests } from "../../schemas/runs/prompt-cache.ts";
import type { Message } from "../../schemas/runs/run.ts";
import type { Compaction } from "../../schemas/sessions/compaction.ts";
import type { SessionSummary } from "../../schemas/sessions/session.ts";
import { isObject } from "../../schemas/values/json-values.ts";
import type { Db } from "../../stores/db.ts";
import { unpackJson, unspillBytes } from "../../stores/objects/spill.ts";
import { listRecentRuns } from "../../stores/runs/listing/list-runs.ts";
import { isNested, type StoredRun } from "../../stores/runs/run-item.ts";
import { getSession, getSessionHead } from "../../stores/sessions/session-item.ts";
import { type StateRead, stateRead } from "../../stores/sessions/session-writes.ts";
import { showsSummary } from "../define/agent.ts";
import type { Runnable } from "../define/runnable.ts";
import type { Exchange } from "../ports/engine-ports.ts";
import { openSessionState, type SessionState, type StateChanged } from "../ports/session-state.ts";
import type { RunRequest } from "../run/run-request.ts";
import { lastViewOf, shownMessages } from "../run/shown-messages.ts";
import { requestedState } from "./pending-of.ts";

/** What a run gets from its session. */
type SessionContext = {
  readonly history: readonly Message[];
  readonly session_summary?: SessionSummary;
  readonly prompt?: PromptDigests;
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
  if (run.opens_session || isGiven(run) || runnable.kind === "workflow") return { history: [] };
  const [runs, session] = await Promise.all([
    runnable.add_history_to_context ? historyRuns(db, run, isEarlierThan(run), runnable, now) : [],
    showsSummary(runnable) || run.compacted ? getSessionHead(db, run.session_id) : undefined,
  ]);
  const compaction = runnable.add_history_to_context ? session?.compaction : undefined;
  const summary = showsSummary(runnable) ? session?.summary : undefined;
  const last = runs.at(-1);
  const prompt =
    last?.component_id === run.component_id
      ? last.output.metrics?.additional_metrics?.cache?.last
      : undefined;
  return {
    history: withSummary(runs, compaction),
    ...(summary && { session_summary: summary }),
    ...(prompt && { prompt }),
  };
}

/** Whether the client of a run brought along what was said before. */
const isGiven = ({ kwargs }: StoredRun): boolean =>
  v.is(GivenHistory, kwargs.given_history) && kwargs.given_history.messages !== undefined;

/** The messages of runs, with a summary instead of those that it stands for. */
function withSummary(runs: readonly StoredRun[], compaction: Compaction | undefined): Message[] {
  if (!compaction) return asHistory(runs.map(asLastShown));
  const { summary, through_run_id, created_at } = compaction;
  const stands: Message = {
    id: `summary-${through_run_id}`,
    role: "user",
    content: `Summary of the conversation before:\n${summary}`,
    from_history: true,
    stop_after_tool_call: false,
    created_at,
  };
  return [stands, ...asHistory(runs.filter(({ run_id }) => run_id > through_run_id).map(asLastShown))];
}

/** A run with what its model was shown of it last, where that was not everything: what it began with is folded or shown by its heads. */
function asLastShown(run: StoredRun): StoredRun {
  const { messages = [] } = run.output;
  const view = lastViewOf(run.output);
  return view
    ? { ...run, output: { ...run.output, messages: [...shownMessages({ messages, view }, run)] } }
    : run;
}

/** Whether the summary that a run was shown stands for its history too. */
function foldsHistory({ output: { messages = [], metrics } }: StoredRun): boolean {
  const kept = metrics?.additional_metrics?.context?.folds?.at(-1)?.first_kept_message_id;
  const own = messages.find(({ id }) => id === kept);
  return own !== undefined && !own.from_history && messages.some(({ from_history }) => from_history);
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
  return listRecentRuns(db, run, { count, counts: isEarlierThan(run) }, now);
}

const isEarlierThan =
  (run: StoredRun) =>
  (other: StoredRun): boolean =>
    other.run_id !== run.run_id && !isNested(other);

/**
 * The runs that a model is shown: as many as the component says, else those that keep the start of its prompt, from the last one on that
 * has folded those before it.
 */
async function historyRuns(
  db: Db,
  run: StoredRun,
  counts: (other: StoredRun) => boolean,
  { num_history_runs: exact, num_history_messages }: HistoryLimits,
  now: number,
): Promise<readonly StoredRun[]> {
  // So many last messages begin elsewhere in every run.
  const count = exact ?? (num_history_messages === undefined ? undefined : DEFAULT_RUNS);
  if (count !== undefined) return listRecentRuns(db, run, { count, counts }, now);
  const read = await listRecentRuns(db, run, { count: READ_RUNS, counts }, now);
  const shown = shownRuns(read.map((one) => ({ one, messages: one.output.messages ?? [] })));
  const runs = shown.map(({ one }) => one);
  return runs.slice(Math.max(0, runs.findLastIndex(foldsHistory)));
}

/**
 * The messages of a team's member, or a workflow's agent, in its own runs within earlier runs of the session, oldest
 * first.
 *
 * @param run     the team's or the workflow's
 * @param member  its id, and how much it wants
 * @param now     epoch seconds
 */
export async function readMemberHistory(
  db: Db,
  run: StoredRun,
  member: HistoryLimits & { readonly id: string },
  now: number,
): Promise<Message[]> {
  if (run.opens_session) return [];
  const isMembers = (other: StoredRun) => other.component_id === member.id && isNested(other);
  return asHistory((await historyRuns(db, run, isMembers, member, now)).map(asLastShown));
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

/** What runs have said; the messages that an agent puts before every input are in each prompt once. */
const asHistory = (runs: readonly StoredRun[]): Message[] =>
  runs
    .flatMap(({ output: { messages = [], additional_input = [] } }) => {
      const ofAgent = new Set(additional_input.map(({ id }) => id));
      return messages.filter(
        ({ id, role, from_history }) => !from_history && role !== "system" && !ofAgent.has(id),
      );
    })
    .map((message) => ({ ...message, from_history: true }));

/** The engine's request, from the record of a run. Form fields that the platform does not read go to `parameters`. */
export function requestOf(
  run: StoredRun,
  context: SessionContext & Pick<RunRequest, "session_state">,
): RunRequest {
  const { metadata, created_at, input, user_id } = run.output;
  const { input_content, ...media } = input;
  const { client_tools, dependencies, given_history, knowledge_filters, output_schema } = run.kwargs;
  const parameters = Object.entries(run.kwargs).filter(([name]) => !platformFields.has(name));
  return {
    run_id: run.run_id,
    session_id: run.session_id,
    user_id: user_id ?? null,
    input: input_content,
    media,
    ...context,
    ...(metadata && { metadata }),
    ...(isObject(dependencies) && { dependencies }),
    ...(knowledge_filters !== undefined && { knowledge_filters }),
    ...(isObject(output_schema) && { output_schema }),
    // A form field of this name is text, and no list of tools.
    ...(v.is(ClientTools, client_tools) && { client_tools }),
    ...(v.is(GivenHistory, given_history) && { given_history }),
    parameters: Object.fromEntries(parameters),
    created_at,
  };
}

const ClientTools = v.array(ClientTool);

/** Form fields that the platform reads itself. */
const platformFields: ReadonlySet<string> = new Set([
  "client_tools",
  "dependencies",
  "draft_config",
  "factory_input",
  "feedback_keys",
  "given_history",
  "knowledge_filters",
  "metadata",
  "output_schema",
  "session_state",
  "stream_events",
  "use_json_schema",
]);

/** The state of a run's session as an execution begins with it. */
export type StateAtStart = {
  readonly read: StateRead;
  /** What an earlier execution wrote, which this one may repeat. */
  readonly repeats: StateChanges | undefined;
};

/**
 * Reads the state of a run's session.
 *
 * @param read  the state, where the caller has read it just now
 */
export async function readState(db: Db, run: StoredRun, read: StateRead | undefined): Promise<StateAtStart> {
  const { state_written } = run;
  const [session, repeats] = await Promise.all([
    read ? undefined : getSession(db, run.session_id),
    state_written && unspillBytes(db, state_written).then(unpackJson<StateChanges>),
  ]);
  const found = session ? stateRead(session) : { state: {}, version: undefined };
  return { read: read ?? found, repeats };
}

/**
 * Opens the state for one execution of a run.
 *
 *   begins             session + request
 *   resumes a step     session + what the run has changed and not written
 *   resumes a pause    session: its changes were written with the pause
 *
 * @param how.begins  whether the execution starts the run
 */
export function openState(
  run: StoredRun,
  runnable: Runnable,
  { read, repeats = {} }: StateAtStart,
  how: {
    readonly begins: boolean;
    readonly pending: PendingState | undefined;
    readonly changed: StateChanged | undefined;
  },
): SessionState {
  return openSessionState(
    {
      base: withoutChanges(read.state, repeats),
      // The session of a first run was created with the values of its request.
      requested: how.begins && !run.opens_session ? requestedState(run) : undefined,
      pending: how.pending,
      changed: how.changed,
    },
    runnable,
  );
}

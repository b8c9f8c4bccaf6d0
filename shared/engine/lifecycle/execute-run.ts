import { steeredIds } from "../../domain/runs/steered-ids.ts";
import type { PendingState } from "../../domain/sessions/session-state.ts";
import { createEventRecorder, type EventRecorder, type RecordStart } from "../../events/event-recorder.ts";
import type { ReadFile } from "../../knowledge/index.ts";
import { type Clock, epochSeconds } from "../../runtime/clock.ts";
import { newId, newRunId } from "../../runtime/ids.ts";
import type { Log } from "../../runtime/log.ts";
import type { Meter } from "../../runtime/metrics/meter.ts";
import type { ToolSecrets } from "../../runtime/secrets/tool-secrets.ts";
import type { CountedUsage } from "../../schemas/runs/run.ts";
import type { RecordedEvent } from "../../schemas/runs/run-event.ts";
import type { Span } from "../../schemas/traces/span.ts";
import type { Db } from "../../stores/db.ts";
import { putObject } from "../../stores/objects/object-bytes.ts";
import { cachedLoad } from "../../stores/objects/show-media.ts";
import { sessionObjects } from "../../stores/objects/spill.ts";
import { type Checkpoint, packCheckpoint, saveCheckpoint } from "../../stores/runs/checkpoint.ts";
import { appendEvents } from "../../stores/runs/events.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import { roomOf, storedResultsOf } from "../../stores/runs/stored-results.ts";
import { type CallStarted, endCall, startCall, startCallAgain } from "../../stores/runs/tool-calls.ts";
import { keepWithheld } from "../../stores/runs/withheld.ts";
import type { StateRead } from "../../stores/sessions/session-writes.ts";
import { modelViewOf } from "../define/remote-agent.ts";
import type { Runnable } from "../define/runnable.ts";
import { type ModelGate, NO_KEY } from "../model/model-gate.ts";
import type { Models } from "../model/models.ts";
import type { DailyBudgets } from "../ports/budget-port.ts";
import type { LedgerEntry, SearchKnowledge, ToolLedger, ToolLimits } from "../ports/engine-ports.ts";
import type { SessionState, StateChanged } from "../ports/session-state.ts";
import type { RunTrace, Tracing } from "../ports/tracing.ts";
import { connectLearnings, connectMemories } from "../recall/connect-books.ts";
import { countedAt } from "../run/metrics.ts";
import { RunStopped } from "../run/next-step.ts";
import { type RunOutcome, withOrigin } from "../run/run-outcome.ts";
import type { ExecutedRun } from "./end-run.ts";
import { type ExecutionState, executeRunnable, type Suspended } from "./execute-runnable.ts";
import { connectInbox } from "./inbox.ts";
import {
  openState,
  readContext,
  readExchanges,
  readHistory,
  readMemberHistory,
  readState,
  requestOf,
} from "./read-context.ts";

export type RunDeps = {
  readonly db: Db;
  readonly models: Models;
  readonly clock: Clock;
  readonly log?: Log;
  /** The secrets of tools; those that declare some fail where it is absent. */
  readonly toolSecrets?: ToolSecrets;
  readonly toolLimits?: ToolLimits;
  /** Calls remote agents; their runs fail where it is absent. */
  readonly callOut?: typeof fetch;
  /** Reads users' documents that a model's service does not take; they are only named where it is absent. */
  readonly readFile?: ReadFile;
  /** Counts how runs end; nothing is measured where it is absent. */
  readonly meter?: Meter;
  /** What all workers know of models; each call is made at once where it is absent. */
  readonly modelGate?: ModelGate | undefined;
  /** Used by agents that have knowledge. */
  readonly searchKnowledge?: SearchKnowledge;
  /** What users and service accounts may spend in a day. */
  readonly dailyBudgets: DailyBudgets;
  /** Absent where nothing is traced. */
  readonly tracing?: Tracing;
};

export type RunExecution = {
  readonly attempt: number;
  /** Index of the first event. */
  readonly nextIndex: number;
  readonly signal: AbortSignal;
  /** The state of its session, where the caller has read it just now; it is read where absent. */
  readonly stateRead?: StateRead | undefined;
  /** What earlier executions have changed in it and not written; given with `from`. */
  readonly pending?: PendingState | undefined;
  /** The state to resume from; see `executeRunnable`. Events emitted before it are not emitted again. */
  readonly from?: ExecutionState;
  /** Set where the run was not known to anybody before this execution. */
  readonly isNew?: boolean;
  /** Set where a client continued the run. */
  readonly continues?: boolean;
  /** What happens to the recorded events around the step that a new attempt resumes from. */
  readonly resumes?: NonNullable<RecordStart["resumes"]>;
  /** Called before every step; may abort the signal. */
  readonly beforeStep?: () => void;
  /** See `SlicePorts`. Absent: the run is executed to its end. */
  readonly shouldYield?: (isOnlyToEnd?: boolean) => boolean;
  /** See `SlicePorts`. Absent where a client waits. */
  readonly postpone?: (untilMs: number) => void;
  /** Spans from the checkpoint of a process that died before it wrote them. */
  readonly unwrittenSpans?: readonly Span[];
  /** Gets every event when it happens. */
  readonly onEvent?: (event: RecordedEvent) => void;
  /** Receives the session's state while it changes; nothing is kept for it where it is absent. */
  readonly stateChanged?: StateChanged | undefined;
};

/**
 * Executes one attempt of a stored run: reads its history, runs the engine, records its events. The caller writes the
 * end of the run, because it knows the fence for that write.
 *
 * @throws RunStopped with kind `lost` when nothing more may be written
 */
export async function executeRun(
  deps: RunDeps,
  runnable: Runnable,
  run: StoredRun,
  how: RunExecution,
): Promise<ExecutedRun | ExecutedRun<Suspended>> {
  const now = epochSeconds(deps.clock);
  void prepareGate(deps, runnable);
  const [context, dailyBudget, stateAtStart] = await Promise.all([
    how.from ? { history: [] } : readContext(deps.db, runnable, run, now),
    deps.dailyBudgets(run.output.user_id ?? null, `${run.run_id}#${how.attempt}`),
    readState(deps.db, run, how.stateRead),
  ]);
  const recorder = recorderOf(deps, run, how);
  const sessionState = openState(run, runnable, stateAtStart, {
    begins: how.from === undefined,
    pending: how.pending,
    changed: how.stateChanged,
  });
  const trace = await openTrace(deps, run, how);
  const inbox = inboxOf(deps, run, how);
  const outcome = await executeRunnable(
    runnable,
    requestOf(run, { ...context, session_state: sessionState.current() }),
    {
      models: deps.models,
      clock: deps.clock,
      newId: newRunId,
      loadObject: cachedLoad(deps.db),
      saveObject: (bytes) => putObject(deps.db, sessionObjects(run.owner, run.session_id), bytes),
      results: storedResultsOf(deps.db, run, roomOf(deps.db, run)),
      emit: (event) => {
        const recorded = recorder.record(event);
        how.onEvent?.(recorded);
      },
      holdRecord: recorder.hold,
      keepWithheld: (kept) =>
        keepWithheld(deps.db, run, newRunId(), { ...kept, created_at: epochSeconds(deps.clock) }),
      signal: how.signal,
      ...(deps.log && { warn: deps.log.warn, toolLog: deps.log }),
      ...(deps.toolSecrets && { toolSecrets: deps.toolSecrets }),
      ...(deps.toolLimits && { toolLimits: deps.toolLimits }),
      ...(deps.callOut && { callOut: deps.callOut }),
      ...(deps.readFile && { readFile: deps.readFile }),
      readMemberHistory: (member) => readMemberHistory(deps.db, run, member, now),
      readExchanges: (runs) => readExchanges(deps.db, run, runs, now),
      readChatHistory: (runs) => readHistory(deps.db, run, runs, now),
      ...(deps.searchKnowledge && { searchKnowledge: deps.searchKnowledge }),
      ...(dailyBudget && { dailyBudget }),
      memories: connectMemories(deps.db, run.output.user_id, deps.clock),
      learnings: connectLearnings(deps.db, run.output.user_id, deps.clock),
      inbox,
      ledger: connectToolLedger(deps.db, run.run_id, newId),
      ...(trace && { span: trace.span }),
      saveCheckpoint: (state) =>
        storeCheckpoint(deps, run, how.attempt, {
          state,
          ...pendingIn(sessionState),
          ...recorder.progress(),
          ...unwrittenIn(trace),
        }),
      sessionState,
      ...stepsOf(how),
      ...(deps.modelGate && { modelGate: deps.modelGate }),
    },
    how.from,
  );
  const traced = trace?.write(outcome.status !== "YIELDED") ?? Promise.resolve();
  const sent = traced.then(() => trace?.sent());
  const events = await recorder.drain();
  if (outcome.status === "YIELDED") {
    return { outcome: { ...outcome, ...pendingIn(sessionState) }, events, traced, sent };
  }
  const began_with = usageAtStart(how.from, runnable, deps.models);
  const ended = withEvaluation(runnable, withOrigin(run.output, outcome));
  const session_state = { ...stateAtStart, pending: sessionState.pending() };
  const kept = { ...(began_with && { began_with }), inbox: inbox.look(), session_state };
  return { outcome: { ...ended, ...kept }, events, traced, sent };
}

/** How its steps are taken. */
const stepsOf = ({ continues, beforeStep, shouldYield, postpone }: RunExecution) => ({
  ...(continues && { continues: true }),
  ...(beforeStep && { beforeStep }),
  ...(shouldYield && { shouldYield }),
  ...(postpone && { postpone }),
});

/** What is said to the run; of that, what the state has from which this execution begins. */
const inboxOf = ({ db }: RunDeps, { run_id }: StoredRun, { from, isNew = false }: RunExecution) =>
  connectInbox(db, run_id, { placed: from ? steeredIds(from) : [], isNew });

/** Reads what is known of a run's model beside its context, so that its first call does not wait for that. */
async function prepareGate({ modelGate, models }: RunDeps, runnable: Runnable): Promise<void> {
  if (!modelGate || runnable.kind === "workflow") return;
  // A model that cannot be loaded says so when it is called.
  const resolved = await models.resolve(runnable.model).catch(() => undefined);
  if (resolved) await modelGate.prepare(runnable.model, resolved.account ?? NO_KEY);
}

function pendingIn(state: SessionState): Pick<Suspended, "pending_state"> {
  const pending_state = state.pending();
  return pending_state.entries.length > 0 ? { pending_state } : {};
}

/** Of a team or a workflow the state has its runs in parts, so that its usage is not known before its end. */
function usageAtStart(
  from: ExecutionState | undefined,
  runnable: Runnable,
  models: Models,
): CountedUsage | undefined {
  if (from === undefined) return {};
  if (runnable.kind === "workflow" || !("usage" in from) || (from.members ?? []).length > 0) return undefined;
  return countedAt(from, modelViewOf(runnable, models), models);
}

const withEvaluation = (runnable: Runnable, outcome: RunOutcome): RunOutcome =>
  outcome.status === "COMPLETED" && runnable.kind !== "workflow" && runnable.online_evaluation
    ? { ...outcome, online_evaluation: runnable.online_evaluation }
    : outcome;

const openTrace = (
  { tracing }: RunDeps,
  run: StoredRun,
  { attempt, from, unwrittenSpans = [] }: RunExecution,
): Promise<RunTrace> | undefined =>
  tracing?.open(run, { attempt, resumes: from !== undefined || attempt > 1, unwritten: unwrittenSpans });

function unwrittenIn(trace: RunTrace | undefined): Pick<Checkpoint<unknown>, "unwritten_spans"> {
  const unwritten_spans = trace?.unwritten() ?? [];
  return unwritten_spans.length > 0 ? { unwritten_spans } : {};
}

function recorderOf(deps: RunDeps, run: StoredRun, how: RunExecution): EventRecorder {
  return createEventRecorder(
    {
      run_id: run.run_id,
      attempt: how.attempt,
      nextIndex: how.nextIndex,
      startsOver: how.from === undefined,
      ...(how.resumes && { resumes: how.resumes }),
    },
    (batch) => appendEvents(deps.db, run, batch),
    deps.clock,
  );
}

async function storeCheckpoint(
  { db }: RunDeps,
  run: StoredRun,
  attempt: number,
  checkpoint: Checkpoint<ExecutionState>,
): Promise<void> {
  if (await saveCheckpoint(db, run, attempt, packCheckpoint(checkpoint))) return;
  throw new RunStopped("lost", "lost the fence: another process has the run");
}

/** The ledger of a run's tool calls, in the store. @param newId gives each start its id */
function connectToolLedger(db: Db, runId: string, newId: () => string): ToolLedger {
  return {
    start: async (call) => entryOf(await startCall(db, runId, call, newId())),
    startAgain: async (call, starts) => entryOf(await startCallAgain(db, runId, call, starts, newId())),
    end: (call, answer, changes) => endCall(db, runId, call, { ...answer, changes }),
  };
}

function entryOf(started: CallStarted): LedgerEntry {
  if (started.started) return { state: "started" };
  const { starts, answer } = started.seen;
  if (!answer) return { state: "open", starts };
  const { changes, ...given } = answer;
  return { state: "ended", answer: given, changes };
}

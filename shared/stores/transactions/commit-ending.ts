import { asSeen, backOff, guardedBy, type Item, type Part, transact, type Write } from "../../data/index.ts";
import { type JobMove, jobTransitions } from "../../domain/jobs/job-transitions.ts";
import { relativeChanges, type StateProgress } from "../../domain/sessions/session-state.ts";
import { epochSeconds, systemClock } from "../../runtime/clock.ts";
import { isTerminal } from "../../schemas/queue/queue-job.ts";
import type { RunStatus } from "../../schemas/runs/run.ts";
import type { StoredOutput } from "../../schemas/runs/stored-output.ts";
import { approvalChange, type StoredApproval } from "../approvals/approval-item.ts";
import {
  approvalIds,
  type EndedApprovals,
  type EndedRun,
  endApprovals,
  putApproval,
} from "../approvals/end-approvals.ts";
import type { Db } from "../db.ts";
import { evalChange, putOnlineEval } from "../evals/eval-change.ts";
import type { StoredEval } from "../evals/eval-item.ts";
import { countEnded, countPaused } from "../jobs/counters.ts";
import { extendKey, type StoredJob } from "../jobs/job-item.ts";
import { expiryOf } from "../jobs/job-keys.ts";
import { type Fence, type JobChange, jobChange, jobUpdate } from "../jobs/move-job.ts";
import { putPauseTimer } from "../jobs/pause-timers.ts";
import { type Large, packJson, type Spilled, sessionObjects, spillBytes } from "../objects/spill.ts";
import {
  type Change,
  type Publication,
  type PublishedRun,
  publishChanges,
  putEvent,
  runEvent,
  wakeForEvent,
} from "../outbox/change-event.ts";
import type { StoredEvent } from "../outbox/event-item.ts";
import { endWatch } from "../outbox/lease-watch.ts";
import { withConflicts } from "../retry-until-written.ts";
import type { EventSource } from "../runs/event-base.ts";
import { type EventBatch, packBatch, putBatch, type StoredBatch } from "../runs/events.ts";
import { type SpilledOutput, type StoredRun, spillOutput } from "../runs/run-item.ts";
import type { RunAddress } from "../runs/run-keys.ts";
import {
  type AwaitedBy,
  type AwaitingJob,
  awaitedBy,
  jobsIn,
  nestedPuts,
  replaceRun,
  runUpdate,
} from "../runs/run-update.ts";
import { markTask } from "../runs/task-item.ts";
import { markRunEnded } from "../schedules/runs/mark-run-ended.ts";
import { sessionFrom, wholeSession } from "../sessions/session-item.ts";
import {
  planState,
  progressSession,
  type SessionProgress,
  type StateRead,
  type StateWrite,
  stateRead,
} from "../sessions/session-writes.ts";

/** The job's part of an ending. */
export type JobEnding = {
  readonly row: StoredJob;
  readonly move: Exclude<
    JobMove,
    "claim" | "resume" | "heartbeat" | "handOff" | "takeOver" | "postpone" | "requeue" | "continue"
  >;
  readonly fence: Fence;
  /** Further attributes; `error: null` if the ending has none. */
  readonly change: Pick<JobChange, "error" | "available_at">;
  readonly retentionSeconds: number;
};

export type Ending = {
  readonly at: RunAddress;
  readonly attempt: number;
  /** The run's record, whose receivers are notified of its end; undefined where its end is not to be published, or was. */
  readonly publishedRun: PublishedRun | undefined;
  /** The final output; absent when the record already has the end of the run. */
  readonly output: StoredOutput | undefined;
  /** Large fields of the record that `output` lacks, because the run was read without them. */
  readonly keeps?: Large | undefined;
  readonly events: EventBatch | undefined;
  readonly session: SessionProgress | undefined;
  /** What the run has changed in the session's state, and the state that it was read from. */
  readonly state?: StateEnding | undefined;
  /** Absent for foreground runs. */
  readonly job: JobEnding | undefined;
  /** What a paused run waits for. */
  readonly pause?: {
    readonly digests: Readonly<Record<string, string>>;
    readonly approval: StoredApproval | undefined;
    /** Approvals of this pause and of earlier ones. */
    readonly approval_ids: readonly string[];
    /** Where it resumes, for a run whose output does not show that. */
    readonly checkpoint?: Uint8Array;
    /** When it resumes without an answer, epoch seconds. */
    readonly resumes_at?: number | undefined;
  };
  /** Nested runs that have ended. */
  readonly nested?: readonly StoredRun[];
  /** Approvals of a run that was read without its calls. */
  readonly approval_ids?: readonly string[] | undefined;
  /** The completed run whose answer this one replaces. */
  readonly replaces?: RunAddress | undefined;
  /** The evaluation that judges this run. */
  readonly evaluation?: StoredEval | undefined;
};

/** What an execution does to its session's state. */
export type StateEnding = StateProgress & {
  readonly read: StateRead;
  /** The run, for the event that says what it replaces. */
  readonly run: EventSource;
};

/** What an ending that was written leaves to its caller. */
export type Ended = {
  /** The last events as they were written: the given ones, and one more where the run replaced what others wrote. */
  readonly events: EventBatch | undefined;
  /** Jobs that waited for this run's end: each needs a message now. */
  readonly waiting: readonly AwaitingJob[];
};

/**
 * Ends one execution: run record, its last events, session sums, job and counters change all or nothing, so that no
 * reader ever sees a finished run without its last event or a finished job without its run.
 *
 * @returns undefined when the fence refuses the job or the record: nothing was written
 */
export async function commitEnding(db: Db, ending: Ending): Promise<Ended | undefined> {
  const fitted = await spillEnding(db, ending);
  const ended = await commit(db, fitted);
  if (ended && fitted.event) await wakeForEvent(db, fitted.event);
  if (ended) await fitted.jobPublication.wake();
  return ended;
}

/** An ending whose parts fit into their items. */
type FittedEnding = Omit<Ending, "output" | "keeps" | "approval_ids" | "nested" | "publishedRun"> & {
  /** What is published; undefined where there is no subscriber. */
  readonly event: StoredEvent | undefined;
  readonly jobPublication: Publication;
  readonly evaluationPublication: Publication | undefined;
  /** That of the pause. */
  readonly checkpoint: Spilled | undefined;
  /** What writes the nested runs. */
  readonly nestedWrites: readonly Write[];
  readonly stateWrite: StateWrite | undefined;
  /** See `StoredRun`. */
  readonly state_written: Spilled | null | undefined;
  /** As they were given, without the event that says what is replaced. */
  readonly given: EventBatch | undefined;
  /** As they are written. */
  readonly events: EventBatch | undefined;
  readonly spilled: SpilledOutput | undefined;
  readonly batch: StoredBatch | undefined;
  /** Epoch seconds; undefined for a foreground run without events. */
  readonly now: number | undefined;
  /** The run whose approvals end with it; absent for a run that has not ended. */
  readonly ended: EndedRun | undefined;
  /** The jobs that were seen waiting for this end. */
  readonly awaited?: AwaitedBy;
};

/** Writes values that are too large for an item as objects, before anything points to them. */
async function spillEnding(db: Db, ending: Ending): Promise<FittedEnding> {
  const { output, keeps, events, approval_ids = [], nested = [], publishedRun, ...rest } = ending;
  const { at, attempt, state, job, pause } = rest;
  const last = events?.events[events.events.length - 1];
  const now = job?.fence.now ?? last?.created_at;
  const [
    spilled,
    stated,
    checkpoint,
    nestedWrites,
    state_written,
    event,
    jobPublication,
    evaluationPublication,
  ] = await Promise.all([
    output && spillOutput(db, at, output, keeps),
    stateParts(db, rest, events, state?.read, now),
    pause?.checkpoint && spillBytes(db, sessionObjects(at.owner, at.session_id), pause.checkpoint),
    nestedPuts(db, nested),
    state && writtenState(db, at, state, output?.status, pause),
    publishedRun &&
      output &&
      runEvent(db, publishedRun, {
        ...{ status: output.status, attempt, now: now ?? nowSeconds() },
        isTask: job?.row.task === true,
      }),
    publishChanges(db, job ? jobChangesOf(job) : []),
    rest.evaluation &&
      publishChanges(db, [evalChange("evaluation.created", rest.evaluation, rest.evaluation.created_at)]),
  ]);
  return {
    ...rest,
    now,
    event,
    jobPublication,
    evaluationPublication,
    given: events,
    spilled,
    ...stated,
    checkpoint,
    nestedWrites,
    state_written,
    ended:
      output && endedStatuses.has(output.status)
        ? {
            status: output.status,
            approval_ids: [...new Set([...approval_ids, ...approvalIds(output)])],
            now,
          }
        : undefined,
  };
}

type StateParts = Pick<FittedEnding, "stateWrite" | "events" | "batch">;

/** The write of the session's state from where it was read, and the last events with what that replaces. */
async function stateParts(
  db: Db,
  { at, session, state }: Pick<Ending, "at" | "session" | "state">,
  given: EventBatch | undefined,
  read: StateRead | undefined,
  now: number | undefined,
): Promise<StateParts> {
  const planned = session && state && read ? await planState(db, at, read, state) : undefined;
  const events =
    given && state && planned
      ? withConflicts(given, state.run, planned.conflicts, now ?? nowSeconds())
      : given;
  const batch = events && events.events.length > 0 ? await packBatch(db, at, events) : undefined;
  return { stateWrite: planned?.write, events, batch };
}

/**
 * What a later execution takes back that begins before this end: the requeue of a run that failed or was cancelled. One
 * that was cancelled while it was paused resumes from before the pause too, unless that saved where it stands.
 */
async function writtenState(
  db: Db,
  at: RunAddress,
  { changes }: StateEnding,
  status: RunStatus | undefined,
  pause: Ending["pause"],
): Promise<Spilled | null> {
  const relative = relativeChanges(changes);
  const isRepeated = status !== "COMPLETED" && !pause?.checkpoint;
  if (!isRepeated || Object.keys(relative).length === 0) return null;
  const packed = await packJson(relative);
  return spillBytes(db, sessionObjects(at.owner, at.session_id), packed, MAX_WRITTEN_BYTES);
}

/** Most bytes of it in the record itself. */
const MAX_WRITTEN_BYTES = 8_000;

/** The ending of a run whose session was changed since its state was read: merged with what the session has now. */
async function withNewerState(
  db: Db,
  ending: FittedEnding,
  seen: Item | undefined,
): Promise<FittedEnding | undefined> {
  const stored = seen && sessionFrom(seen);
  if (!ending.stateWrite || !stored) return undefined;
  const read = stateRead(await wholeSession(db, stored), stored.state_large !== undefined);
  return { ...ending, ...(await stateParts(db, ending, ending.given, read, ending.now)) };
}

async function commit(db: Db, ending: FittedEnding): Promise<Ended | undefined> {
  for (let tryNumber = 1; tryNumber <= APPROVAL_TRIES; tryNumber += 1) {
    const { writes: approvals, changes } = await approvalWrites(db, ending);
    const publication = await publishChanges(db, changes);
    const result = await transact(db, (again) => ({
      ...fencedParts(db, ending, again),
      approvals,
      ...optionalParts(ending),
      // Nothing refuses what follows.
      event: ending.event && putEvent(ending.event),
      jobPublication: ending.jobPublication.entries,
      evaluationPublication: ending.evaluationPublication?.entries,
      publication: publication.entries,
      // Where its own process ends it; another one leaves the watch to the worker of deliveries.
      watch: ending.event && ending.session && !ending.job ? endWatch(ending.at.run_id) : undefined,
    }));
    if (result.written) {
      await publication.wake();
      await ending.evaluationPublication?.wake();
      return { events: ending.events, waiting: jobsIn(ending.awaited ?? new Set()) };
    }
    const awaited = awaitedBy(result.seen);
    if (awaited && !isSame(awaited, ending.awaited)) return commit(db, { ...ending, awaited });
    // An approval was resolved or deleted concurrently: the approvals are read again.
    if (result.refused === "approvals") continue;
    const newer = result.refused === "session" && (await withNewerState(db, ending, result.seen));
    if (newer) {
      // Whoever was first has made progress; of many that end at once, one does with every round.
      await backOff(tryNumber);
      return commit(db, newer);
    }
    const rest = without(ending, result.refused);
    return rest && commit(db, { ...ending, ...rest });
  }
  throw new Error(`the approvals of run ${ending.at.run_id} change all the time`);
}

/** For the end of a foreground run that wrote no event: its store had failed. */
const nowSeconds = (): number => epochSeconds(systemClock);

const isSame = (a: AwaitedBy, b: AwaitedBy = new Set()): boolean =>
  a.size === b.size && [...a].every((one) => b.has(one));

/** An approval can change twice: it is resolved once and deleted once. */
const APPROVAL_TRIES = 4;

/** Parts whose refusal means that another process has the run by now. */
const fencedParts = (db: Db, ending: FittedEnding, tryNumber: number) => ({
  job: ending.job && jobWrites(db, ending.job, tryNumber),
  run: runWrites(ending),
  nested: ending.nestedWrites,
  timer: pauseTimerOf(ending),
});

/** A foreground run has no job to wake. */
const pauseTimerOf = ({ pause, job }: FittedEnding): Write | undefined =>
  pause?.resumes_at === undefined || !job
    ? undefined
    : putPauseTimer({ job_id: job.row.id, due_at: pause.resumes_at });

/**
 * Parts that are left out when they are refused: their session is gone, the replaced run was replaced already, the
 * schedule that started the run is gone or no longer waits for it, the task is gone, or the run has its evaluation.
 */
const optionalParts = ({ at, session, stateWrite, replaces, job, spilled, evaluation }: FittedEnding) => ({
  session: session && progressSession(at.session_id, session, stateWrite),
  replaces: replaces && replaceRun(replaces),
  schedule: job && scheduleWrite(job),
  task: job?.row.task && spilled && markTask(at.run_id, spilled.output.status, job.fence.now),
  evaluation: evaluation && putOnlineEval(evaluation),
});

/** What an ending is without a refused part; undefined for one that it cannot do without. */
function without({ job }: FittedEnding, refused: string): Partial<FittedEnding> | undefined {
  switch (refused) {
    case "session":
      return { session: undefined };
    case "replaces":
      return { replaces: undefined };
    case "schedule":
      return { job: job && { ...job, row: { ...job.row, schedule_run: undefined } } };
    case "task":
      return { job: job && { ...job, row: { ...job.row, task: undefined } } };
    case "evaluation":
      return { evaluation: undefined, evaluationPublication: undefined };
    default:
      return undefined;
  }
}

/** Undefined for a run that no schedule started, and for one that will be executed again. */
function scheduleWrite({ row, move, fence }: JobEnding): Write | undefined {
  const { to } = jobTransitions[move];
  if (!row.schedule_run || to === "queued") return undefined;
  const { id: run_id, session_id, owner } = row;
  return markRunEnded(row.schedule_run, { run_id, session_id, owner, status: to, now: fence.now });
}

async function approvalWrites(db: Db, { pause, ended }: FittedEnding): Promise<EndedApprovals> {
  const asked = pause?.approval;
  if (asked) return { writes: [putApproval(asked)], changes: [approvalChange(asked, asked.created_at)] };
  return ended ? endApprovals(db, ended) : { writes: [], changes: [] };
}

const jobChangesOf = ({ row, move, fence }: JobEnding): Change[] => [
  jobChange(row, jobTransitions[move].to, fence.now),
];

/** After these a run is not live: others of its session need not wait for it. */
const restingStatuses: ReadonlySet<RunStatus> = new Set(["COMPLETED", "CANCELLED", "ERROR", "PAUSED"]);
const endedStatuses: ReadonlySet<RunStatus> = new Set(["COMPLETED", "CANCELLED", "ERROR"]);

/** The last events of an ended run are on its record; those of one that has not ended are an item of their own. */
function runWrites(ending: FittedEnding): Part {
  const { at, attempt, spilled, batch, pause, checkpoint, session, job } = ending;
  const writer = { by: job ? "attempt" : "foreground", attempt } as const;
  const paused = pause && {
    digests: pause.digests,
    approval_ids: pause.approval_ids,
    ...(checkpoint && { checkpoint }),
  };
  const status = spilled?.output.status;
  const output = {
    ...spilled,
    counted: session?.counted,
    counted_before: session?.counted_before,
    state_written: ending.state_written,
    updated_at: ending.now,
  };
  const awaited = status && restingStatuses.has(status) && { awaited: ending.awaited ?? ("none" as const) };
  if (status && batch && endedStatuses.has(status)) {
    return runUpdate(at, writer, { status, ...output, ...awaited, last_events: batch });
  }
  return [
    status && runUpdate(at, writer, { status, ...output, ...awaited, ...paused }),
    batch && putBatch(at.run_id, batch),
  ];
}

function jobWrites(
  db: Db,
  { row, move, fence, change, retentionSeconds }: JobEnding,
  tryNumber: number,
): Part {
  const { to } = jobTransitions[move];
  const counter = { id: row.id, tryNumber };
  if (!isTerminal(to)) {
    return [
      jobUpdate(db, row.id, move, fence, change),
      to === "paused" ? countPaused(counter, 1) : undefined,
    ];
  }
  const expires_at = expiryOf(fence.now, retentionSeconds);
  const ended = jobUpdate(db, row.id, move, fence, { ...change, completed_at: fence.now, expires_at });
  return [
    // A job that has paused since it was read is counted in another place.
    move === "cancel" ? guardedBy(ended, { counted_pause: asSeen(row.counted_pause) }) : ended,
    countEnded(counter, to, expires_at),
    move === "cancel" && row.counted_pause ? countPaused(counter, -1) : undefined,
    extendKey(row, expires_at),
  ];
}

import { asSeen, backOff, guardedBy, type Part, transact, type Write } from "../../data/index.ts";
import { jobTransitions } from "../../domain/jobs/job-transitions.ts";
import { isTerminal } from "../../schemas/queue/queue-job.ts";
import type { RunStatus } from "../../schemas/runs/run.ts";
import { approvalChange } from "../approvals/approval-item.ts";
import { type EndedApprovals, endApprovals, putApproval } from "../approvals/end-approvals.ts";
import type { Db } from "../db.ts";
import { putOnlineEval } from "../evals/eval-change.ts";
import { countEnded, countPaused } from "../jobs/counters.ts";
import { extendKey } from "../jobs/idempotency-key.ts";
import { expiryOf } from "../jobs/job-keys.ts";
import { jobUpdate } from "../jobs/move-job.ts";
import { putPauseTimer } from "../jobs/pause-timers.ts";
import { publishChanges, putEvent, wakeForEvent } from "../outbox/change-event.ts";
import { endWatch } from "../outbox/lease-watch.ts";
import { putBatch } from "../runs/events.ts";
import { type AwaitedBy, awaitedBy, jobsIn, replaceRun, runUpdate } from "../runs/run-update.ts";
import { markTask } from "../runs/task-item.ts";
import { markRunEnded } from "../schedules/runs/mark-run-ended.ts";
import type { StoredSession } from "../sessions/session-item.ts";
import { claimTurn, progressSession } from "../sessions/session-writes.ts";
import type { Ended, Ending, JobEnding } from "./ending.ts";
import { endedStatuses, type FittedEnding, spillEnding, withNewerState } from "./fit-ending.ts";
import { nothingLeft, planRest } from "./plan-rest.ts";

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

async function commit(
  db: Db,
  ending: FittedEnding,
  rest = ending.inbox && nothingLeft(ending.inbox),
): Promise<Ended | undefined> {
  for (let tryNumber = 1; tryNumber <= APPROVAL_TRIES; tryNumber += 1) {
    const { writes: approvals, changes } = await approvalWrites(db, ending);
    const publication = await publishChanges(db, changes);
    const result = await transact(db, (again) => ({
      ...fencedParts(db, ending, again),
      approvals,
      inbox: rest?.inbox,
      ...optionalParts(ending, rest?.turnIn),
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
      await Promise.all([ending.evaluationPublication?.wake(), rest?.publication?.wake()]);
      const waiting = [...jobsIn(ending.awaited ?? new Set()), ...(rest?.job ? [rest.job] : [])];
      return { events: ending.events, waiting };
    }
    const awaited = awaitedBy(result.seen);
    if (awaited && !isSame(awaited, ending.awaited)) return commit(db, { ...ending, awaited }, rest);
    // Something was sent after the run's last look, or was withdrawn since it was read; or a run has entered the session.
    const replanned =
      result.refused === "inbox" || (result.refused === "session" && rest?.turnIn !== undefined);
    const left = replanned && ending.inbox ? await planRest(db, ending.inbox) : rest;
    if (result.refused === "inbox") return commit(db, ending, left);
    // An approval was resolved or deleted concurrently: the approvals are read again.
    if (result.refused === "approvals") continue;
    const newer = result.refused === "session" && (await withNewerState(db, ending, result.seen));
    if (newer) {
      // Whoever was first has made progress; of many that end at once, one does with every round.
      await backOff(tryNumber);
      return commit(db, newer, left);
    }
    if (result.refused === "session" && left?.turnIn) {
      await backOff(tryNumber);
      return commit(db, ending, left);
    }
    const remaining = without(ending, result.refused);
    return remaining && commit(db, { ...ending, ...remaining }, left);
  }
  throw new Error(`the approvals of run ${ending.at.run_id} change all the time`);
}

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
 *
 * @param turnIn  the session as it was read, where another run takes a turn in it with this end
 */
const optionalParts = (
  { at, session, stateWrite, replaces, job, spilled, evaluation }: FittedEnding,
  turnIn: StoredSession | undefined,
) => ({
  session: session
    ? progressSession(at.session_id, session, stateWrite, turnIn)
    : turnIn && claimTurn(turnIn),
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

/** After these a run is not live: others of its session need not wait for it. */
const restingStatuses: ReadonlySet<RunStatus> = new Set(["COMPLETED", "CANCELLED", "ERROR", "PAUSED"]);

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
  const counter = { db, id: row.id, tryNumber };
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

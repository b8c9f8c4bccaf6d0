import type { Item, Write } from "../../data/index.ts";
import { jobTransitions } from "../../domain/jobs/job-transitions.ts";
import { relativeChanges } from "../../domain/sessions/session-state.ts";
import { epochSeconds, systemClock } from "../../runtime/clock.ts";
import type { RunStatus } from "../../schemas/runs/run.ts";
import { approvalIds, type EndedRun } from "../approvals/end-approvals.ts";
import type { Db } from "../db.ts";
import { evalChange } from "../evals/eval-change.ts";
import { jobChange } from "../jobs/move-job.ts";
import { packJson, type Spilled, sessionObjects, spillBytes } from "../objects/spill.ts";
import { type Change, type Publication, publishChanges, runEvent } from "../outbox/change-event.ts";
import type { StoredEvent } from "../outbox/event-item.ts";
import { withConflicts } from "../retry-until-written.ts";
import { type EventBatch, packBatch, type StoredBatch } from "../runs/events.ts";
import { type SpilledOutput, spillOutput } from "../runs/run-item.ts";
import type { RunAddress } from "../runs/run-keys.ts";
import { type AwaitedBy, nestedPuts } from "../runs/run-update.ts";
import { sessionFrom, wholeSession } from "../sessions/session-item.ts";
import { planState, type StateRead, type StateWrite, stateRead } from "../sessions/session-writes.ts";
import type { Ending, JobEnding, StateEnding } from "./ending.ts";

/** An ending whose parts fit into their items. */
export type FittedEnding = Omit<Ending, "output" | "keeps" | "approval_ids" | "nested" | "publishedRun"> & {
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
export async function spillEnding(db: Db, ending: Ending): Promise<FittedEnding> {
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
export async function withNewerState(
  db: Db,
  ending: FittedEnding,
  seen: Item | undefined,
): Promise<FittedEnding | undefined> {
  const stored = seen && sessionFrom(seen);
  if (!ending.stateWrite || !stored) return undefined;
  const read = stateRead(await wholeSession(db, stored), stored.state_large !== undefined);
  return { ...ending, ...(await stateParts(db, ending, ending.given, read, ending.now)) };
}

const jobChangesOf = ({ row, move, fence }: JobEnding): Change[] => [
  jobChange(row, jobTransitions[move].to, fence.now),
];

/** For the end of a foreground run that wrote no event: its store had failed. */
const nowSeconds = (): number => epochSeconds(systemClock);

/** After these a run is over. */
export const endedStatuses: ReadonlySet<RunStatus> = new Set(["COMPLETED", "CANCELLED", "ERROR"]);

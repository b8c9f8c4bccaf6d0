import { transact, type Update, writeAndRead } from "../../../data/index.ts";
import {
  type ScheduleRunMove,
  scheduleRunTransitions,
} from "../../../domain/schedules/schedule-run-transitions.ts";
import type { Db } from "../../db.ts";
import { type Publication, publishChanges } from "../../outbox/change-event.ts";
import { getScheduleRun, refOf, type StoredScheduleRun, scheduleRunFrom } from "./run-item.ts";
import {
  getTurn,
  replaceTurn,
  type ScheduleRunChange,
  scheduleRunChanges,
  scheduleRunUpdate,
  type Turn,
} from "./run-update.ts";

/** Moves one attempt. @returns undefined when it is no longer as it was seen */
export async function moveScheduleRun(
  db: Db,
  seen: StoredScheduleRun,
  move: ScheduleRunMove,
  change?: ScheduleRunChange,
): Promise<StoredScheduleRun | undefined> {
  const publication = await publishMove(db, seen, move, change);
  const update = scheduleRunUpdate(seen, move, change);
  if (publication.entries.length > 0) return moveAndPublish(db, seen, update, publication);
  const result = await writeAndRead(db, update);
  return result.written ? scheduleRunFrom(result.item) : undefined;
}

/** Also publishes the event. */
async function moveAndPublish(
  db: Db,
  seen: StoredScheduleRun,
  run: Update,
  publication: Publication,
): Promise<StoredScheduleRun | undefined> {
  const { written } = await transact(db, { run, publication: publication.entries });
  if (!written) return undefined;
  await publication.wake();
  return getScheduleRun(db, refOf(seen), seen.triggered_at);
}

/** The end of a wait for another attempt was published when the wait began. */
function publishMove(
  db: Db,
  seen: StoredScheduleRun,
  move: ScheduleRunMove,
  change: ScheduleRunChange = {},
): Promise<Publication> {
  if (move === "endRetryWait") return publishChanges(db, []);
  const { run_id = seen.run_id, session_id = seen.session_id, status_code = seen.status_code } = change;
  const { to } = scheduleRunTransitions[move];
  const now = change.completed_at ?? seen.triggered_at;
  const after = { ...seen, run_id, session_id, status_code };
  return publishChanges(db, scheduleRunChanges(after, to, move === "failAndRetry", now));
}

/** Moves after which the next waiting slot may start. */
export type EndingMove = Extract<ScheduleRunMove, "succeed" | "pause" | "fail" | "endRetryWait" | "drop">;

export type EndedRun =
  | { readonly ended: false }
  /** The attempt whose turn it is now. */
  | { readonly ended: true; readonly next: StoredScheduleRun | undefined };

/** Slots may be queued or ended concurrently; of each try one succeeds. */
const TRIES = 8;

/**
 * Ends a slot and passes its turn on, all or nothing: the slot that has waited longest is started, and no waiting slot
 * is lost.
 *
 * @param now  epoch seconds
 */
export async function endScheduleRun(
  db: Db,
  seen: StoredScheduleRun,
  move: EndingMove,
  change: ScheduleRunChange,
  now: number,
): Promise<EndedRun> {
  if (!seen.holds_turn) {
    const moved = await moveScheduleRun(db, seen, move, change);
    return moved ? { ended: true, next: undefined } : { ended: false };
  }
  for (let tryNumber = 0; tryNumber < TRIES; tryNumber += 1) {
    const turn = await getTurn(db, seen.schedule_id);
    const next = await firstWaiting(db, seen.schedule_id, turn, now);
    const publication = await publishMove(db, seen, move, change);
    const result = await transact(db, {
      run: scheduleRunUpdate(seen, move, { ...change, holds_turn: undefined }),
      turn: replaceTurn(seen.schedule_id, turn, afterTurn(turn, next)),
      next: next && scheduleRunUpdate(next, "start", { due_at: now, started_at: now, holds_turn: true }),
      publication: publication.entries,
    });
    if (result.written) {
      await publication.wake();
      return { ended: true, next };
    }
    if (result.refused === "run") return { ended: false };
  }
  throw new Error(`the turn of schedule ${seen.schedule_id} changes all the time`);
}

/** The first attempt that still waits. */
async function firstWaiting(
  db: Db,
  schedule_id: string,
  { waiting }: Turn,
  now: number,
): Promise<StoredScheduleRun | undefined> {
  for (const schedule_run_id of waiting) {
    const run = await getScheduleRun(db, { schedule_id, schedule_run_id }, now);
    if (run?.status === "queued") return run;
  }
  return undefined;
}

function afterTurn({ waiting }: Turn, next: StoredScheduleRun | undefined): Omit<Turn, "revision"> {
  if (!next) return { waiting: [] };
  return { holder: next.slot, waiting: waiting.slice(waiting.indexOf(next.id) + 1) };
}

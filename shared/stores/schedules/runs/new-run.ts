import {
  checkItem,
  deleteItem,
  exists,
  type Item,
  isNew,
  putItem,
  type Transacted,
  transact,
  type Write,
  write,
} from "../../../data/index.ts";
import type { Schedule } from "../../../schemas/schedules/schedule.ts";
import type { ScheduleRunStatus } from "../../../schemas/schedules/schedule-run.ts";
import type { Db } from "../../db.ts";
import { publishChanges } from "../../outbox/change-event.ts";
import { scheduleKey } from "../schedule-item.ts";
import {
  expiryOf,
  refOf,
  type StoredScheduleRun,
  scheduleRunFrom,
  scheduleRunItem,
  scheduleRunWork,
} from "./run-item.ts";
import { type Slot, scheduleRunId, scheduleRunKey } from "./run-keys.ts";
import { claimTurn, getTurn, replaceTurn, scheduleRunChanges } from "./run-update.ts";

/** A new attempt that waits for nothing. The same in every delivery of its slot. */
export function newScheduleRun(
  { user_id }: Pick<Schedule, "user_id">,
  slot: Slot,
  status: ScheduleRunStatus,
): StoredScheduleRun {
  return {
    id: scheduleRunId(slot),
    schedule_id: slot.schedule_id,
    user_id,
    attempt: slot.attempt,
    triggered_at: slot.at,
    completed_at: null,
    status,
    status_code: null,
    run_id: null,
    session_id: null,
    error: null,
    input: null,
    output: null,
    requirements: null,
    created_at: slot.at,
    slot: slot.slot,
    revision: 1,
    expires_at: expiryOf(slot.at),
  };
}

/** An attempt whose call starts as soon as it is written. @param now epoch seconds */
export const callingRun = (
  schedule: Pick<Schedule, "user_id">,
  slot: Slot,
  now: number,
): StoredScheduleRun => ({
  ...newScheduleRun(schedule, slot, "running"),
  stage: "call",
  due_at: scheduleRunWork.leaseEnd(now).due,
  called: true,
  started_at: now,
});

/** The record of a slot that was not run. @param reason public */
export const slotNotRun = (
  schedule: Pick<Schedule, "user_id">,
  slot: Slot,
  status: "skipped" | "missed" | "failed",
  reason: string,
  now: number,
): StoredScheduleRun => ({
  ...newScheduleRun(schedule, slot, status),
  error: reason,
  completed_at: now,
});

/** An attempt that was triggered by hand: it has no slot, and takes no turn. @param now epoch seconds */
export const triggeredRun = (
  schedule: Pick<Schedule, "id" | "user_id">,
  triggerId: string,
  now: number,
): StoredScheduleRun => ({
  ...newScheduleRun(
    schedule,
    { schedule_id: schedule.id, slot: `trigger:${triggerId}`, attempt: 1, at: now },
    "running",
  ),
  stage: "call",
  due_at: now,
  started_at: now,
});

export type Opened =
  | { readonly opened: true }
  /** An earlier delivery of the same slot has created it. */
  | { readonly opened: false; readonly because: "exists"; readonly seen: StoredScheduleRun }
  | { readonly opened: false; readonly because: "turn_taken" | "schedule_gone" };

/**
 * Creates an attempt, once: its key follows from its slot. With `holds_turn` it claims the schedule's turn in the same
 * transaction, so that two slots cannot both see that nothing runs.
 */
export async function openScheduleRun(db: Db, run: StoredScheduleRun): Promise<Opened> {
  const turn = run.holds_turn ? claimTurn(run.schedule_id, run.slot) : undefined;
  // A slot that is not run ends with its record.
  const publication = await publishChanges(db, scheduleRunChanges(run, run.status, false, run.created_at));
  const result = await transact(db, { ...opening(run), turn, publication: publication.entries });
  if (result.written) await publication.wake();
  return openedBy(result);
}

/**
 * Creates an attempt that waits for the one before it.
 *
 * @param most  how many may wait
 * @returns     `turn_free` when the one before it has just ended, `full` when too many wait already
 */
export async function queueScheduleRun(
  db: Db,
  run: StoredScheduleRun,
  most: number,
): Promise<Opened | { readonly opened: false; readonly because: "turn_free" | "full" }> {
  const turn = await getTurn(db, run.schedule_id);
  if (turn.holder === undefined) return { opened: false, because: "turn_free" };
  if (turn.waiting.length >= most && !turn.waiting.includes(run.id))
    return { opened: false, because: "full" };
  const queued = { ...turn, waiting: [...turn.waiting, run.id] };
  return openedBy(await transact(db, { ...opening(run), turn: replaceTurn(run.schedule_id, turn, queued) }));
}

/** Creates the next attempt at a slot and ends the wait for it. @returns false when another process has done so */
export async function openNextAttempt(db: Db, next: StoredScheduleRun, endOfWait: Write): Promise<boolean> {
  const { written } = await transact(db, { ...opening(next), endOfWait });
  return written;
}

/** No attempt is created for a removed schedule: its runs are being purged. */
const opening = (run: StoredScheduleRun) => ({
  run: putItem("schedules", scheduleRunItem(run), isNew),
  schedule: checkItem("schedules", scheduleKey(run.schedule_id), exists),
});

function openedBy(result: Transacted<"run" | "schedule" | "turn" | "publication">): Opened {
  if (result.written) return { opened: true };
  if (result.refused === "run")
    return { opened: false, because: "exists", seen: scheduleRunFrom(seenIn(result)) };
  return { opened: false, because: result.refused === "schedule" ? "schedule_gone" : "turn_taken" };
}

function seenIn({ seen }: { readonly seen: Item | undefined }): Item {
  if (!seen) throw new Error("a refused write did not say what it saw");
  return seen;
}

/** Deletes an attempt that was not started. @returns false when it was */
export async function removeUnstarted(db: Db, run: StoredScheduleRun): Promise<boolean> {
  const { revision } = run;
  return (await write(db, deleteItem("schedules", scheduleRunKey(refOf(run)), { revision }))).written;
}

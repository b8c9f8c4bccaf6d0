import { type Guard, oneOf } from "../../../data/guard.ts";
import { type Update, updateItem } from "../../../data/writes.ts";
import {
  type ScheduleRunMove,
  type ScheduleRunTransition,
  scheduleRunTransitions,
} from "../../../domain/schedules/schedule-run-transitions.ts";
import type { ScheduleRun } from "../../../schemas/schedules/schedule-run.ts";
import type { StoredScheduleRun } from "./run-item.ts";
import { refOf } from "./run-item.ts";
import { scheduleRunDue, scheduleRunKey } from "./run-keys.ts";
import { scheduleRunWork } from "./schedule-run-work.ts";

/** Attributes that a move writes beside status and stage. */
export type ScheduleRunChange = Partial<
  Pick<
    ScheduleRun,
    "completed_at" | "status_code" | "run_id" | "session_id" | "error" | "input" | "output" | "requirements"
  > &
    Pick<StoredScheduleRun, "started_at" | "called" | "next" | "holds_turn" | "output_cut" | "run_owner">
> & {
  /** When the sweeper wakes it; epoch seconds. Given for every move after which it waits for something. */
  readonly due_at?: number;
};

/** When a move may be written: the row of the table, and no other write in between. */
function scheduleRunGuard(move: ScheduleRunMove, revision: number): Guard {
  const { from, during }: ScheduleRunTransition = scheduleRunTransitions[move];
  return [{ status: oneOf(from), ...(during && { stage: during }) }, scheduleRunWork.held(revision)];
}

/** The write of a guarded move. */
export function scheduleRunUpdate(
  seen: StoredScheduleRun,
  move: ScheduleRunMove,
  change: ScheduleRunChange = {},
): Update {
  const { to, leads }: ScheduleRunTransition = scheduleRunTransitions[move];
  const { due_at } = change;
  if ((leads === undefined) !== (due_at === undefined)) throw new Error(`${move}: a stage needs its time`);
  return updateItem("schedules", scheduleRunKey(refOf(seen)), {
    set: {
      ...change,
      status: to,
      stage: leads,
      revision: seen.revision + 1,
      ...scheduleRunDue.attributes(seen.id, due_at),
    },
    guard: scheduleRunGuard(move, seen.revision),
  });
}

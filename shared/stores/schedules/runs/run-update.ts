import { oneOf } from "../../../data/guard.ts";
import type { Update } from "../../../data/writes.ts";
import {
  type ScheduleRunMove,
  type ScheduleRunTransition,
  scheduleRunTransitions,
} from "../../../domain/schedules/schedule-run-transitions.ts";
import type { ScheduleRun } from "../../../schemas/schedules/schedule-run.ts";
import type { StoredScheduleRun } from "./run-item.ts";
import { refOf } from "./run-item.ts";
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

/** The write of a move: refused where the attempt is in another state, or was written in between. */
export function scheduleRunUpdate(
  seen: StoredScheduleRun,
  move: ScheduleRunMove,
  { due_at, ...change }: ScheduleRunChange = {},
): Update {
  const { from, during, to, leads }: ScheduleRunTransition = scheduleRunTransitions[move];
  if ((leads === undefined) !== (due_at === undefined)) throw new Error(`${move}: a stage needs its time`);
  const moved = { set: { ...change, status: to, stage: leads }, due: due_at ?? null };
  return scheduleRunWork.step(refOf(seen), seen.revision, moved, {
    status: oneOf(from),
    ...(during && { stage: during }),
  });
}

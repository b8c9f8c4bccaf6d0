import {
  type ScheduleRunMove,
  type ScheduleRunTransition,
  scheduleRunTransitions,
} from "../../../domain/schedules/schedule-run-transitions.ts";
import type { ScheduleRun } from "../../../schemas/schedules/schedule-run.ts";
import { allOf, updateOf } from "../../../work/guard.ts";
import type { Db } from "../../db.ts";
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

/** The condition under which a move may be written: the row of the table, and no other write in between. */
function scheduleRunGuard(move: ScheduleRunMove, revision: number) {
  const { from, during }: ScheduleRunTransition = scheduleRunTransitions[move];
  const states = from.map((status, i) => [`:from${i}`, status] as const);
  return allOf(
    {
      condition: `#status IN (${states.map(([name]) => name).join(", ")})`,
      values: Object.fromEntries(states),
    },
    scheduleRunWork.held(revision),
    during && { condition: "#stage = :during", values: { ":during": during } },
  );
}

/** The parameters of a guarded move, for a single update or for an entry of a transaction. */
export function scheduleRunUpdate(
  db: Db,
  seen: StoredScheduleRun,
  move: ScheduleRunMove,
  change: ScheduleRunChange = {},
) {
  const { to, leads }: ScheduleRunTransition = scheduleRunTransitions[move];
  const { due_at } = change;
  if ((leads === undefined) !== (due_at === undefined)) throw new Error(`${move}: a stage needs its time`);
  const guard = scheduleRunGuard(move, seen.revision);
  const set = {
    ...change,
    status: to,
    stage: leads,
    revision: seen.revision + 1,
    ...scheduleRunDue.attributes(seen.id, due_at),
  };
  return {
    TableName: db.tables.schedules,
    Key: scheduleRunKey(refOf(seen)),
    ...updateOf({ set }, guard),
    ReturnValuesOnConditionCheckFailure: "ALL_OLD" as const,
  };
}

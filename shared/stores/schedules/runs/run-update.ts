import {
  type ScheduleRunMove,
  type ScheduleRunTransition,
  scheduleRunTransitions,
} from "../../../domain/schedules/schedule-run-transitions.ts";
import type { ScheduleRun } from "../../../schemas/schedules/schedule-run.ts";
import type { Db } from "../../db.ts";
import type { StoredScheduleRun } from "./run-item.ts";
import { refOf } from "./run-item.ts";
import { dueKeys, scheduleRunKey } from "./run-keys.ts";

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
  return {
    condition:
      `#status IN (${states.map(([name]) => name).join(", ")}) AND #revision = :seen_revision` +
      (during ? " AND #stage = :during" : ""),
    values: {
      ...Object.fromEntries(states),
      ":seen_revision": revision,
      ...(during && { ":during": during }),
    },
  };
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
  const sets: Record<string, unknown> = {
    ...change,
    status: to,
    stage: leads,
    revision: seen.revision + 1,
    ...(due_at === undefined ? notDue : dueKeys(seen.id, due_at)),
  };
  const written = Object.keys(sets).filter((name) => sets[name] !== undefined);
  const removed = Object.keys(sets).filter((name) => sets[name] === undefined);
  const names = new Set([...written, ...removed, "status", "revision", "stage"]);
  return {
    TableName: db.tables.schedules,
    Key: scheduleRunKey(refOf(seen)),
    UpdateExpression:
      `SET ${written.map((name) => `#${name} = :${name}`).join(", ")}` +
      (removed.length > 0 ? ` REMOVE ${removed.map((name) => `#${name}`).join(", ")}` : ""),
    ConditionExpression: guard.condition,
    ExpressionAttributeNames: Object.fromEntries([...names].map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: {
      ...guard.values,
      ...Object.fromEntries(written.map((name) => [`:${name}`, sets[name]])),
    },
    ReturnValuesOnConditionCheckFailure: "ALL_OLD" as const,
  };
}

const notDue = { due_at: undefined, due_shard: undefined, due: undefined };

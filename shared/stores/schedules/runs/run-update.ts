import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { absent, oneOf, putItem, type Update, updateItem, type Write } from "../../../data/index.ts";
import {
  type ScheduleRunMove,
  type ScheduleRunTransition,
  scheduleRunTransitions,
} from "../../../domain/schedules/schedule-run-transitions.ts";
import type { ChangeType } from "../../../schemas/deliveries/event-type.ts";
import type { ScheduleRun, ScheduleRunStatus } from "../../../schemas/schedules/schedule-run.ts";
import type { Db } from "../../db.ts";
import type { Change } from "../../outbox/change-event.ts";
import { refOf, type StoredScheduleRun, scheduleRunWork } from "./run-item.ts";
import { turnKey } from "./run-keys.ts";

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

/** Which slot of a schedule is being run, and which wait for it. Writes are guarded by the revision that was read. */
const Turn = v.object({
  /** The slot; absent while nothing runs. */
  holder: v.optional(v.string()),
  /** Ids of attempts that wait for their turn, the oldest first. */
  waiting: v.optional(v.array(v.string()), []),
  revision: v.number(),
});
export type Turn = v.InferOutput<typeof Turn>;

const emptyTurn: Turn = { waiting: [], revision: 0 };

export async function getTurn(db: Db, scheduleId: string): Promise<Turn> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.schedules, Key: turnKey(scheduleId), ConsistentRead: true }),
  );
  return Item ? v.parse(Turn, Item) : emptyTurn;
}

/** The write that claims the turn, without a read; refused while another slot has it. */
export const claimTurn = (scheduleId: string, slot: string): Write =>
  updateItem("schedules", turnKey(scheduleId), {
    set: { holder: slot },
    add: { revision: 1 },
    guard: { holder: absent },
  });

/** The write that replaces the turn that was seen; refused when it was written in between. */
export const replaceTurn = (scheduleId: string, { revision }: Turn, next: Omit<Turn, "revision">): Write =>
  putItem("schedules", { ...turnKey(scheduleId), ...next, revision: revision + 1 }, { revision });

const types = new Map<ScheduleRunStatus, ChangeType>([
  ["success", "schedule_run.completed"],
  ["failed", "schedule_run.failed"],
  ["cancelled", "schedule_run.skipped"],
  ["skipped", "schedule_run.skipped"],
  ["missed", "schedule_run.skipped"],
]);

/**
 * What is published of an attempt of a schedule that has ended; nothing while it has not.
 *
 * @param retries  whether another attempt will follow
 * @param now      epoch seconds
 */
export function scheduleRunChanges(
  run: Pick<StoredScheduleRun, "id" | "schedule_id" | "user_id" | "attempt" | "triggered_at"> &
    Pick<StoredScheduleRun, "run_id" | "session_id" | "status_code">,
  status: ScheduleRunStatus,
  retries: boolean,
  now: number,
): Change[] {
  const type = types.get(status);
  if (!type) return [];
  const { id, user_id, schedule_id, attempt, triggered_at, run_id, session_id, status_code } = run;
  const facts = {
    ...{ schedule_id, status, attempt, triggered_at, run_id, session_id, status_code },
    ...(type === "schedule_run.failed" && { retries }),
  };
  return [{ type, id, owner: user_id, facts, now }];
}

import { DeleteCommand } from "@aws-sdk/lib-dynamodb";
import type { Db } from "../../db.ts";
import { type Item, type Transacted, transact, type Write } from "../../transact.ts";
import { writeIfUnchanged } from "../../write-if-unchanged.ts";
import { scheduleKey } from "../schedule-keys.ts";
import { refOf, type StoredScheduleRun, scheduleRunFrom, scheduleRunItem } from "./run-item.ts";
import { scheduleRunKey } from "./run-keys.ts";
import { getTurn, replaceTurn, takeTurn } from "./turn.ts";

export type Opened =
  | { readonly opened: true }
  /** Another delivery of the same slot was here before. */
  | { readonly opened: false; readonly because: "exists"; readonly seen: StoredScheduleRun }
  | { readonly opened: false; readonly because: "turn_taken" | "schedule_gone" };

/**
 * Puts an attempt on record, once: its key follows from its slot. With `holds_turn` it takes the schedule's turn in the
 * same transaction, so that two slots cannot both see that nothing runs.
 */
export async function openScheduleRun(db: Db, run: StoredScheduleRun): Promise<Opened> {
  const turn = run.holds_turn ? [takeTurn(db, run.schedule_id, run.slot)] : [];
  return openedBy(await transact(db, () => [...opening(db, run), ...turn]));
}

/**
 * Puts an attempt on record that waits for the one before it.
 *
 * @param most  how many may wait
 * @returns     `turn_free` when the one before it has ended in this moment, `full` when too many wait already
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
  const behind = { ...turn, waiting: [...turn.waiting, run.id] };
  const writes = [...opening(db, run), replaceTurn(db, run.schedule_id, turn, behind)];
  return openedBy(await transact(db, () => writes));
}

/** The next attempt at a slot, and the end of the wait for it. @returns false when somebody else was first */
export async function openNextAttempt(
  db: Db,
  next: StoredScheduleRun,
  leave: NonNullable<Write["Update"]>,
): Promise<boolean> {
  const { written } = await transact(db, () => [...opening(db, next), { Update: leave }]);
  return written;
}

/** Nothing is put under a schedule that was removed: its runs are being removed with it. */
const opening = (db: Db, run: StoredScheduleRun): Write[] => [
  {
    Put: {
      TableName: db.tables.schedules,
      Item: scheduleRunItem(run),
      ConditionExpression: "attribute_not_exists(pk)",
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    },
  },
  {
    ConditionCheck: {
      TableName: db.tables.schedules,
      Key: scheduleKey(run.schedule_id),
      ConditionExpression: "attribute_exists(pk)",
    },
  },
];

const [RUN, SCHEDULE] = [0, 1];

function openedBy(result: Transacted): Opened {
  if (result.written) return { opened: true };
  if (result.entry === RUN)
    return { opened: false, because: "exists", seen: scheduleRunFrom(seenIn(result)) };
  return { opened: false, because: result.entry === SCHEDULE ? "schedule_gone" : "turn_taken" };
}

function seenIn({ seen }: { readonly seen: Item | undefined }): Item {
  if (!seen) throw new Error("a refused write did not say what it saw");
  return seen;
}

/** Takes back an attempt that nobody has begun. @returns false when somebody has */
export async function removeUnbegun(db: Db, run: StoredScheduleRun): Promise<boolean> {
  const removal = new DeleteCommand({
    TableName: db.tables.schedules,
    Key: scheduleRunKey(refOf(run)),
    ConditionExpression: "revision = :seen",
    ExpressionAttributeValues: { ":seen": run.revision },
  });
  return writeIfUnchanged(() => db.client.send(removal));
}

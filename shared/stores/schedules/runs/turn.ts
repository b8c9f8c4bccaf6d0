import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import type { Db } from "../../db.ts";
import type { Write } from "../../transact.ts";
import { turnKey } from "./run-keys.ts";

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

/** The entry that claims the turn, without a read; refused while another slot has it. */
export const claimTurn = (db: Db, scheduleId: string, slot: string): Write => ({
  Update: {
    TableName: db.tables.schedules,
    Key: turnKey(scheduleId),
    UpdateExpression: "SET holder = :slot ADD revision :one",
    ConditionExpression: "attribute_not_exists(holder)",
    ExpressionAttributeValues: { ":slot": slot, ":one": 1 },
  },
});

/** The entry that replaces the turn that was seen; refused when it was written in between. */
export const replaceTurn = (db: Db, scheduleId: string, seen: Turn, next: Omit<Turn, "revision">): Write => ({
  Put: {
    TableName: db.tables.schedules,
    Item: { ...turnKey(scheduleId), ...next, revision: seen.revision + 1 },
    ConditionExpression: "revision = :seen",
    ExpressionAttributeValues: { ":seen": seen.revision },
  },
});

import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { absent } from "../../../data/guard.ts";
import { putItem, updateItem, type Write } from "../../../data/writes.ts";
import type { Db } from "../../db.ts";
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

import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { putItem, write } from "../../data/index.ts";
import { WithheldAnswer } from "../../schemas/runs/withheld-answer.ts";
import type { Db } from "../db.ts";
import { packJson, Spilled, sessionObjects, spillBytes, unpackJson, unspillBytes } from "../objects/spill.ts";
import { eventsKey, type RunAddress } from "./run-keys.ts";

/** Version of the stored shape; raised with every change of it. */
export const WITHHELD_SHAPE = 1;

/** A text that a guard has refused: a packed `WithheldAnswer`; an object if it is large. It goes with its run. */
export const StoredWithheld = v.object({ answer: Spilled });

/** @param id  sorts by creation */
export async function keepWithheld(
  db: Db,
  at: RunAddress,
  id: string,
  answer: WithheldAnswer,
): Promise<void> {
  const packed = await spillBytes(db, sessionObjects(at.owner, at.session_id), await packJson(answer));
  const key = { pk: eventsKey(at.run_id), sk: `withheld#${id}` };
  await write(db, putItem("runs", { ...key, answer: packed, shape: WITHHELD_SHAPE }));
}

/** What guards have refused in a run, oldest first. */
export async function listWithheld(db: Db, run_id: string): Promise<WithheldAnswer[]> {
  const { Items = [] } = await db.client.send(
    new QueryCommand({
      TableName: db.tables.runs,
      KeyConditionExpression: "pk = :pk AND begins_with(sk, :withheld)",
      ExpressionAttributeValues: { ":pk": eventsKey(run_id), ":withheld": "withheld#" },
      ConsistentRead: true,
    }),
  );
  return Promise.all(
    Items.map(async (item) => {
      const { answer } = v.parse(StoredWithheld, item);
      return v.parse(WithheldAnswer, await unpackJson(await unspillBytes(db, answer)));
    }),
  );
}

import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Db } from "../../db.ts";
import { pastConflicts } from "../../transact.ts";
import { markTask } from "./mark-task.ts";
import type { StoredTask } from "./task-item.ts";

/** Texts of replies are kept to be shown; what is longer is shown cut. */
const MAX_TEXT_CHARS = 4_000;

/**
 * Notes that a message has let a paused task go on.
 *
 * @param now  epoch seconds
 */
export async function replyToTask(
  db: Db,
  runId: string,
  reply: StoredTask["replies"][number],
  now: number,
): Promise<void> {
  const mark = markTask(db, runId, "PENDING", now);
  const kept = { ...reply, text: reply.text.slice(0, MAX_TEXT_CHARS) };
  const update = new UpdateCommand({
    ...mark,
    UpdateExpression: `${mark.UpdateExpression}, replies = list_append(replies, :replies)`,
    ExpressionAttributeValues: { ...mark.ExpressionAttributeValues, ":replies": [kept] },
  });
  try {
    await pastConflicts(() => db.client.send(update));
  } catch (error) {
    // The task went with its session: nobody will look for the reply.
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

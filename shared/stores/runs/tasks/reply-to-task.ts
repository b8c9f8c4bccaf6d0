import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Db } from "../../db.ts";
import { pastConflicts } from "../../transact.ts";
import { markTask } from "./mark-task.ts";
import type { StoredTask } from "./task-item.ts";

/** Texts of replies are stored to be shown; longer ones are cut. */
const MAX_TEXT_CHARS = 4_000;

/**
 * Records that a message has continued a paused task.
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
  const { text, question } = reply;
  const stored = {
    ...{ ...reply, text: text.slice(0, MAX_TEXT_CHARS) },
    ...(question !== undefined && { question: question.slice(0, MAX_TEXT_CHARS) }),
  };
  const update = new UpdateCommand({
    ...mark,
    UpdateExpression: `${mark.UpdateExpression}, replies = list_append(replies, :replies)`,
    ExpressionAttributeValues: { ...mark.ExpressionAttributeValues, ":replies": [stored] },
  });
  try {
    await pastConflicts(() => db.client.send(update));
  } catch (error) {
    // The task was removed with its session: the reply is not needed.
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

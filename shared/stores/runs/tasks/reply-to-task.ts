import { write } from "../../../data/write.ts";
import { appended } from "../../../data/writes.ts";
import type { Db } from "../../db.ts";
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
  const mark = markTask(runId, "PENDING", now);
  const { text, question } = reply;
  const stored = {
    ...{ ...reply, text: text.slice(0, MAX_TEXT_CHARS) },
    ...(question !== undefined && { question: question.slice(0, MAX_TEXT_CHARS) }),
  };
  // If the task was removed with its session, the reply is not needed.
  await write(db, { ...mark, set: { ...mark.set, replies: appended([stored]) } });
}

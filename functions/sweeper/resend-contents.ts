import type { KnowledgeQueue } from "../../shared/queue/knowledge-queue.ts";
import type { Db } from "../../shared/stores/db.ts";
import { listDue } from "../../shared/stores/knowledge/list-due.ts";

/** Contents of one round at most; the next round continues. */
const CONTENTS_PER_ROUND = 500;

/**
 * Sends another message for each content that has work left and no worker: its message was lost, or its worker died.
 * The worker that gets it continues from the record.
 *
 * @param now  epoch seconds
 * @returns    how many were sent
 */
export async function resendContents(
  { db, contents }: { readonly db: Db; readonly contents: KnowledgeQueue },
  now: number,
): Promise<number> {
  const due = await listDue(db, now, CONTENTS_PER_ROUND);
  for (const content of due) await contents.send(content);
  return due.length;
}

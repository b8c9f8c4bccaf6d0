import { newContent, planReupload, type Upload } from "../domain/knowledge/content-plans.ts";
import type { KnowledgeQueue } from "../queue/knowledge-queue.ts";
import type { Log } from "../runtime/log.ts";
import type { StoredContent } from "../schemas/knowledge/knowledge-content.ts";
import type { Db } from "../stores/db.ts";
import { contentWork, getContent } from "../stores/knowledge/content-item.ts";
import { putContent } from "../stores/knowledge/put-content.ts";

export type AddDeps = { readonly db: Db; readonly queue: KnowledgeQueue; readonly log: Log };

/**
 * Records an upload and sends the message that has it processed. A content with the same bytes stays as it is.
 *
 * @param uploadOf  makes the upload for its revision; called again after a lost race
 * @param now       epoch seconds
 */
export async function addContent(
  deps: AddDeps,
  address: { readonly knowledge_id: string; readonly id: string },
  uploadOf: (revision: number) => Promise<Upload>,
  now: number,
): Promise<StoredContent> {
  for (;;) {
    const seen = await getContent(deps.db, address);
    const upload = await uploadOf((seen?.revision ?? 0) + 1);
    const planned = seen ? planReupload(seen, upload, now) : newContent(upload, now);
    if (!planned) return seen ?? newContent(upload, now);
    const written = await putContent(deps.db, seen, planned);
    if (!written.written) continue;
    await wake(deps, address);
    return written.content;
  }
}

/** Sends a content's wake-up message. */
export const wake = (
  deps: Pick<AddDeps, "queue" | "log">,
  { knowledge_id, id }: { readonly knowledge_id: string; readonly id: string },
  delaySeconds = 0,
): Promise<void> => contentWork.wake(deps, { knowledge_id, id }, delaySeconds);

import type { StoredContent } from "../../schemas/knowledge/knowledge-content.ts";
import type { Db } from "../db.ts";
import { putContent } from "./put-content.ts";

/**
 * Changes a content and retries after lost races.
 *
 * @param plan  called again after a lost race, with the content that was seen instead; undefined leaves it as it is
 * @returns     the content as it is then; undefined if it is gone
 */
export async function changeContent(
  db: Db,
  before: StoredContent,
  plan: (seen: StoredContent) => StoredContent | undefined,
): Promise<StoredContent | undefined> {
  let seen: StoredContent | undefined = before;
  while (seen) {
    const planned = plan(seen);
    if (!planned) return seen;
    const written = await putContent(db, seen, planned);
    if (written.written) return written.content;
    seen = written.seen;
  }
  return undefined;
}

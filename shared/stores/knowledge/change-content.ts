import type { StoredContent } from "../../schemas/knowledge/knowledge-content.ts";
import type { Db } from "../db.ts";
import { putContent } from "./put-content.ts";

/**
 * Changes a content, whatever others do to it meanwhile.
 *
 * @param plan  called again on what was seen instead where somebody was quicker; undefined leaves it as it is
 * @returns     the content as it is then; undefined where it is gone
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

import { createHash } from "node:crypto";
import { newId } from "../../runtime/ids.ts";
import type { Db } from "../../stores/db.ts";
import { putPart, setReady, type WordPart, wordObjects } from "../../stores/knowledge/word-parts.ts";
import { WORDS_VERSION } from "./words-of.ts";

type Planned = { readonly name: string; readonly bytes: Uint8Array; readonly chunks: number };

/**
 * The row of a part that is to be written. Its object has a name that is never used again: what deletes an earlier one
 * of the same bytes must not hit it.
 */
export function planPart(knowledgeId: string, { name, bytes, chunks }: Planned): WordPart {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return {
    name,
    object: `${wordObjects(knowledgeId, name)}/${newId()}/${sha256}`,
    chunks,
    bytes: bytes.length,
    words_version: WORDS_VERSION,
    ready: false,
    leftovers: [],
  };
}

export const putPartObject = (db: Db, { object }: WordPart, bytes: Uint8Array): Promise<void> =>
  db.objects.put(object, bytes, object.slice(object.lastIndexOf("/") + 1));

/**
 * Writes a part of one batch, in the place of an earlier one of that name.
 *
 * The row comes before the object, so that whoever repeats or removes the batch finds what a process left that died in
 * between.
 */
export async function writeOwnPart(db: Db, knowledgeId: string, planned: Planned): Promise<void> {
  const part = planPart(knowledgeId, planned);
  const replaced = await putPart(db, knowledgeId, part);
  await putPartObject(db, part, planned.bytes);
  await setReady(db, knowledgeId, part, true);
  if (replaced) await db.objects.removeAll(replaced.object);
}

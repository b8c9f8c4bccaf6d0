import { createHash } from "node:crypto";

/**
 * Prefix of all objects of a session: its media, and values of its runs that are too large for an item. A value that
 * several runs of a session share is one object; all are removed with the session.
 */
export const sessionObjects = (owner: string | null, sessionId: string): string =>
  `sessions/${partOf(owner)}/${partOf(sessionId)}/`;

/** The name of an object within its prefix. */
export const objectName = (key: string): string => key.slice(key.lastIndexOf("/") + 1);

/** A key may have 1,024 bytes. */
const MAX_PART_CHARS = 200;

/** Encoded so that no id leads into another's prefix; `-` is for no owner, and every other part begins with a mark. */
function partOf(id: string | null): string {
  if (id === null) return "-";
  const encoded = `=${encodeURIComponent(id)}`;
  if (encoded.length <= MAX_PART_CHARS) return encoded;
  return `#${createHash("sha256").update(id).digest("hex")}`;
}

/** Prefix of the objects of one revision of a content: the uploaded bytes. */
export const knowledgeObjects = (knowledgeId: string, contentId: string, revision: number): string =>
  `knowledge/${knowledgeId}/${contentId}/${revision}/`;

/** Where clients upload large files themselves; files that are not added expire after a day. */
export const UPLOADS_PREFIX = "uploads/";

import { createHash } from "node:crypto";

/**
 * What the key of every object of a session starts with: its media, and whatever of its runs no item may hold. A value
 * that several runs of a session carry along is one object; all go together with the session.
 */
export const sessionObjects = (owner: string | null, sessionId: string): string =>
  `sessions/${partOf(owner)}/${partOf(sessionId)}/`;

/** A key may have 1,024 bytes. */
const MAX_PART_CHARS = 200;

/** Encoded so that no id can reach into another's prefix; `-` stands for nobody, and every other part has a mark. */
function partOf(id: string | null): string {
  if (id === null) return "-";
  const encoded = `=${encodeURIComponent(id)}`;
  if (encoded.length <= MAX_PART_CHARS) return encoded;
  return `#${createHash("sha256").update(id).digest("hex")}`;
}

import type { Db } from "../db.ts";
import { transact } from "../transact.ts";
import { type StoredSession, sessionFrom } from "./session-item.ts";
import { putNewSession } from "./session-writes.ts";
import { spillSession } from "./spill-session.ts";

/** Created, or the session that has the id; a session that is still being removed is not shown. */
export type Created =
  | { readonly created: true }
  | { readonly created: false; readonly seen: StoredSession | undefined };

export async function createSession(db: Db, session: StoredSession): Promise<Created> {
  const kept = await spillSession(db, session);
  const result = await transact(db, () => [putNewSession(db, kept)]);
  if (result.written) return { created: true };
  return { created: false, seen: result.seen && sessionFrom(result.seen) };
}

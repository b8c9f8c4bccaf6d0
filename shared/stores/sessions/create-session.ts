import { write } from "../../data/index.ts";
import type { Db } from "../db.ts";
import { type StoredSession, sessionFrom, spillSession } from "./session-item.ts";
import { putNewSession } from "./session-writes.ts";

/** Created, or the session that has the id; undefined if that one is still being removed. */
export type Created =
  | { readonly created: true }
  | { readonly created: false; readonly seen: StoredSession | undefined };

export async function createSession(db: Db, session: StoredSession): Promise<Created> {
  const spilled = await spillSession(db, session);
  const result = await write(db, putNewSession(spilled));
  if (result.written) return { created: true };
  return { created: false, seen: result.seen && sessionFrom(result.seen) };
}

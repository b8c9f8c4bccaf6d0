import { batchGet } from "../batch-get.ts";
import type { Db } from "../db.ts";
import { type StoredSession, sessionFrom } from "./session-item.ts";
import { sessionKey } from "./session-keys.ts";

/** Reads sessions by id, in the order of the ids, each once. Missing ones are left out. */
export async function readSessions(db: Db, ids: readonly string[]): Promise<StoredSession[]> {
  const distinct = [...new Set(ids)];
  const items = await batchGet(db, db.tables.sessions, distinct.map(sessionKey));
  const byId = new Map(items.map((item) => [item.session_id, sessionFrom(item)]));
  return distinct.flatMap((id) => byId.get(id) ?? []);
}

import { absent, updateItem, writeAndRead } from "../../data/index.ts";
import type { Db } from "../db.ts";
import { type StoredSession, sessionFrom, sessionKey, spillState, wholeSession } from "./session-item.ts";

export type SessionChange = Partial<
  Pick<StoredSession, "session_name" | "session_state" | "metadata" | "summary" | "compaction">
>;

/**
 * Writes the named attributes and no other, so that the concurrent end of a run is not overwritten.
 *
 * @param now  epoch seconds
 * @returns    the session as it is now; undefined when it is no longer the one that was read
 */
export async function updateSession(
  db: Db,
  { session_id, user_id, created_at }: StoredSession,
  change: SessionChange,
  now: number,
): Promise<StoredSession | undefined> {
  const { session_state } = change;
  const spilled = session_state && (await spillState(db, { owner: user_id, session_id }, session_state));
  const update = updateItem("sessions", sessionKey(session_id), {
    // A state that fits replaces a large one.
    set: { ...change, ...(spilled && { state_large: undefined, ...spilled }), updated_at: now },
    // A run that ends meanwhile merges what it has changed into this state.
    ...(spilled && { add: { state_version: 1 } }),
    guard: { created_at, deleted_at: absent },
  });
  const result = await writeAndRead(db, update);
  const session = result.written ? sessionFrom(result.item) : undefined;
  return session && wholeSession(db, session);
}

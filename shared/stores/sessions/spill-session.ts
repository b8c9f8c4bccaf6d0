import type { Db } from "../db.ts";
import { sessionObjects } from "../objects/object-prefix.ts";
import { packJson, unpackJson } from "../objects/packed.ts";
import { spillBytes } from "../objects/spill.ts";
import type { Spilled } from "../objects/spilled.ts";
import { unspillBytes } from "../objects/unspill.ts";
import type { StoredSession } from "./session-item.ts";

type State = StoredSession["session_state"];

/** JSON of a session's state up to this many bytes stays in its item as it is. */
const MAX_PLAIN_STATE_BYTES = 64_000;

/** A session's state as it is stored. */
export type SpilledState = { readonly session_state: State; readonly state_large?: Spilled };

/** Makes a session's state fit into its item. */
export async function spillState(
  db: Db,
  at: { readonly owner: string | null; readonly session_id: string },
  session_state: Readonly<State>,
): Promise<SpilledState> {
  if (Buffer.byteLength(JSON.stringify(session_state)) <= MAX_PLAIN_STATE_BYTES) return { session_state };
  const prefix = sessionObjects(at.owner, at.session_id);
  return { session_state: {}, state_large: await spillBytes(db, prefix, await packJson(session_state)) };
}

/** A session that fits into its item. The object of a large state is written when this returns. */
export async function spillSession(db: Db, session: StoredSession): Promise<StoredSession> {
  const at = { owner: session.user_id, session_id: session.session_id };
  return { ...session, ...(await spillState(db, at, session.session_state)) };
}

/** A session with the state that its item only points to. @throws ServiceError when it is missing or damaged */
export async function wholeSession(db: Db, stored: StoredSession): Promise<StoredSession> {
  const { state_large, ...session } = stored;
  if (!state_large) return session;
  const large = await unpackJson<State>(await unspillBytes(db, state_large));
  // Keys that were set one by one since then are in the item.
  return { ...session, session_state: { ...large, ...session.session_state } };
}

import {
  absent,
  anyOf,
  asSeen,
  exists,
  type Guard,
  isNew,
  membersAsSeen,
  present,
} from "../../data/guard.ts";
import type { Item } from "../../data/item.ts";
import { ifAbsent, members, type Put, putItem, updateItem, type Write } from "../../data/writes.ts";
import type { RunMetrics, TokenCounts } from "../../schemas/runs/run.ts";
import type { SessionSummary } from "../../schemas/sessions/session.ts";
import type { Db } from "../db.ts";
import { type StoredSession, sessionItem, tokenSums } from "./session-item.ts";
import { sessionKey } from "./session-keys.ts";
import { spillSession } from "./spill-session.ts";
import type { StateWrite } from "./state-write.ts";

/** The write that creates a session; refused when the id is taken, or its last session is still being removed. */
export const putNewSession = (session: StoredSession): Put =>
  putItem("sessions", sessionItem(session), anyOf(isNew, { vacant: present }));

/**
 * The write of a run whose acceptance depends on which runs of the session are live. It is refused when another such run
 * was accepted since the session was read, so that of two that saw the same state only one is written.
 */
export const claimTurn = ({ session_id, turn }: StoredSession): Write =>
  updateItem("sessions", sessionKey(session_id), {
    set: { turn: (turn ?? 0) + 1 },
    guard: [exists, { turn: asSeen(turn), deleted_at: absent }],
  });

/** What a new run needs of its session. */
export type SessionEntry = {
  /** Given when the session does not exist yet. */
  readonly newSession: StoredSession | undefined;
  /** The session as it was read, when the run claims a turn in it. */
  readonly turnIn?: StoredSession | undefined;
};

/** The same with a state that fits into its item. */
export async function spillEntry(db: Db, { newSession, turnIn }: SessionEntry): Promise<SessionEntry> {
  return { newSession: newSession && (await spillSession(db, newSession)), turnIn };
}

/** What a new run writes to its session: its creation, its turn, or nothing. */
export function enterSession({ newSession, turnIn }: SessionEntry): Write | undefined {
  if (newSession) return putNewSession(newSession);
  return turnIn && claimTurn(turnIn);
}

/** What a run writes to its session when it ends or pauses. */
export type SessionProgress = {
  /** Added to the session's sums. */
  readonly metrics: RunMetrics | undefined;
  /** What of the run is in the sums from then on; written to its record. */
  readonly counted?: TokenCounts | undefined;
  /** What attempts of it used that its metrics do not have; in the sums too. */
  readonly counted_before?: TokenCounts | undefined;
  readonly summary?: SessionSummary;
  /** Shown as the session's name when it was created without a run and no user has named it. */
  readonly derived_name: string;
  /** Epoch seconds. */
  readonly now: number;
};

/**
 * The write that adds a run to its session's sums, and its changes to the state. Refused when the session is gone, and when
 * its state was changed since the write of it was planned.
 */
export const progressSession = (sessionId: string, progress: SessionProgress, state?: StateWrite): Write => {
  const { metrics = {}, summary, derived_name, now } = progress;
  const sums = tokenSums.flatMap((name) => (metrics[name] === undefined ? [] : [[name, metrics[name]]]));
  return updateItem("sessions", sessionKey(sessionId), {
    set: {
      updated_at: now,
      derived_name: ifAbsent(derived_name),
      ...(state && valuesOf(state)),
      ...(summary && { summary }),
    },
    add: { ...Object.fromEntries(sums), ...(state && { state_version: 1 }) },
    guard: [exists, { deleted_at: absent }, state ? unchanged(state) : []],
  });
};

function valuesOf(state: StateWrite): Item {
  if ("keys" in state)
    return { session_state: members(Object.fromEntries(state.keys.map(({ key, value }) => [key, value]))) };
  // A state that is written as a whole, and fits, replaces a large one.
  return { session_state: state.whole.session_state, state_large: state.whole.state_large };
}

/** The condition under which nothing that a change builds on has changed. */
const unchanged = (state: StateWrite): Guard =>
  "keys" in state
    ? {
        state_large: absent,
        session_state: membersAsSeen(Object.fromEntries(state.keys.map(({ key, seen }) => [key, seen]))),
      }
    : { state_version: asSeen(state.version) };

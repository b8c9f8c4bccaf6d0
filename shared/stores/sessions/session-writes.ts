import {
  absent,
  anyOf,
  asSeen,
  exists,
  type Guard,
  type Item,
  ifAbsent,
  isNew,
  members,
  membersAsSeen,
  type Put,
  present,
  putItem,
  updateItem,
  type Write,
  write,
} from "../../data/index.ts";
import { mergeState, type SessionValues, type StateProgress } from "../../domain/sessions/session-state.ts";
import type { CountedUsage } from "../../schemas/runs/run.ts";
import type { SessionSummary } from "../../schemas/sessions/session.ts";
import { ownMember } from "../../schemas/values/json-values.ts";
import type { Db } from "../db.ts";
import {
  type SpilledState,
  type StoredSession,
  sessionFrom,
  sessionItem,
  sessionKey,
  spillSession,
  spillState,
  usageSums,
} from "./session-item.ts";

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

/** A turn that needs no look at the live runs first; it refuses whoever looked before it. */
export const takeTurn = (sessionId: string): Write =>
  updateItem("sessions", sessionKey(sessionId), {
    add: { turn: 1 },
    guard: [exists, { deleted_at: absent }],
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
  readonly metrics: CountedUsage | undefined;
  /** What of the run is in the sums from then on; written to its record. */
  readonly counted?: CountedUsage | undefined;
  /** What attempts of it used that its metrics do not have; in the sums too. */
  readonly counted_before?: CountedUsage | undefined;
  readonly summary?: SessionSummary;
  /** Shown as the session's name when it was created without a run and no user has named it. */
  readonly derived_name: string;
  /** Epoch seconds. */
  readonly now: number;
};

/**
 * The write that adds a run to its session's sums, and its changes to the state. Refused when the session is gone, when
 * its state was changed since the write of it was planned, and where another run has taken a turn since `turnIn` was read.
 */
export const progressSession = (
  sessionId: string,
  progress: SessionProgress,
  state?: StateWrite,
  turnIn?: StoredSession,
): Write => {
  const { metrics = {}, summary, derived_name, now } = progress;
  const sums = usageSums.flatMap((name) => (metrics[name] === undefined ? [] : [[name, metrics[name]]]));
  return updateItem("sessions", sessionKey(sessionId), {
    set: {
      updated_at: now,
      derived_name: ifAbsent(derived_name),
      ...(state && valuesOf(state)),
      ...(summary && { summary }),
      ...(turnIn && { turn: (turnIn.turn ?? 0) + 1 }),
    },
    add: { ...Object.fromEntries(sums), ...(state && { state_version: 1 }) },
    guard: [
      exists,
      { deleted_at: absent },
      state ? unchanged(state) : [],
      turnIn ? { turn: asSeen(turnIn.turn) } : [],
    ],
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

/** A session's state as it was read. */
export type StateRead = {
  readonly state: SessionValues;
  /** The number that every change of it raises. */
  readonly version: number | undefined;
  /** Whether it is known to be an object beside the session's item. */
  readonly isLarge?: boolean;
};

/**
 * @param session  with its large state; see `wholeSession`
 * @param isLarge  see `StateRead`
 */
export const stateRead = (
  session: Pick<StoredSession, "session_state" | "state_version">,
  isLarge = false,
): StateRead => ({ state: session.session_state, version: session.state_version, isLarge });

/** A change of a session's state that is refused where another one was first. */
export type StateWrite =
  /** Refused where one of the keys has another value than was `seen`, undefined for none, or the state is an object. */
  | { readonly keys: readonly { readonly key: string; readonly value: unknown; readonly seen: unknown }[] }
  /**
   * For a state that has no room in its item, and for more keys than one write can name. Refused where anything of the
   * state was changed since this version.
   */
  | { readonly whole: SpilledState; readonly version: number | undefined };

export type PlannedState = {
  /** Undefined where the session has everything already. */
  readonly write: StateWrite | undefined;
  /** See `MergedState`. */
  readonly conflicts: readonly string[];
};

/** DynamoDB limits an expression to 4 KB. */
const MOST_KEYS = 80;

/**
 * Merges what a run has changed into its session's state, and plans the write of the keys that differ then. The object of
 * a large state is written when this returns.
 */
export async function planState(
  db: Db,
  at: { readonly owner: string | null; readonly session_id: string },
  { state, version, isLarge = false }: StateRead,
  progress: StateProgress,
): Promise<PlannedState> {
  const { state: merged, changed, conflicts } = mergeState(state, progress);
  const keys = Object.entries(changed).map(([key, value]) => ({ key, value, seen: ownMember(state, key) }));
  if (keys.length === 0) return { write: undefined, conflicts };
  const whole = await spillState(db, at, merged);
  const fits = !isLarge && whole.state_large === undefined && keys.length <= MOST_KEYS;
  return { write: fits ? { keys } : { whole, version }, conflicts };
}

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

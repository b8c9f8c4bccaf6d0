import type { RunMetrics } from "../../schemas/run.ts";
import type { SessionSummary } from "../../schemas/session-summary.ts";
import type { Db } from "../db.ts";
import type { Item, Write } from "../transact.ts";
import { type StoredSession, sessionItem, sessionKey } from "./session-item.ts";

/** The entry that creates a session, and refuses when the id is taken. */
export const putNewSession = (db: Db, session: StoredSession): Write => ({
  Put: {
    TableName: db.tables.sessions,
    Item: sessionItem(session),
    ConditionExpression: "attribute_not_exists(pk)",
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  },
});

/**
 * The entry of a run whose acceptance depends on which runs of the session are live. It refuses when another such
 * run was accepted since the session was read, so that of two that saw the same only one is written.
 */
export const takeTurn = (db: Db, { session_id, turn }: StoredSession): Write => ({
  Update: {
    TableName: db.tables.sessions,
    Key: sessionKey(session_id),
    UpdateExpression: "SET turn = :next",
    ConditionExpression:
      turn === undefined ? "attribute_exists(pk) AND attribute_not_exists(turn)" : "turn = :seen",
    ExpressionAttributeValues: { ":next": (turn ?? 0) + 1, ...(turn !== undefined && { ":seen": turn }) },
  },
});

/** What a new run needs of its session. */
export type SessionEntry = {
  /** Given when the session is not there yet. */
  readonly newSession: StoredSession | undefined;
  /** The session as it was read, when the run takes a turn in it. */
  readonly turnIn?: StoredSession | undefined;
};

/** The entry that a new run makes in its session: its creation, its turn, or none. */
export function enterSession(db: Db, { newSession, turnIn }: SessionEntry): Write | undefined {
  if (newSession) return putNewSession(db, newSession);
  return turnIn && takeTurn(db, turnIn);
}

/** Only the changed keys are written, the others stay as they are. */
export type StateChange = {
  readonly changed: Item;
  /** The whole state, written instead when the changes are too many for one expression. */
  readonly whole: Item;
};

/** What a finished run leaves in its session. */
export type SessionProgress = {
  readonly metrics: RunMetrics | undefined;
  readonly session_state: StateChange | undefined;
  readonly session_summary?: SessionSummary;
  /** Epoch seconds. */
  readonly now: number;
};

/** The entry that adds a finished run to its session's sums; refuses when the session is gone. */
export const progressSession = (db: Db, sessionId: string, progress: SessionProgress): Write => {
  const state = stateUpdate(progress.session_state);
  const { session_summary } = progress;
  const sets = [
    "updated_at = :now",
    ...state.sets,
    ...(session_summary ? ["session_summary = :summary"] : []),
  ];
  return {
    Update: {
      TableName: db.tables.sessions,
      Key: sessionKey(sessionId),
      UpdateExpression: `SET ${sets.join(", ")} ADD input_tokens :input, output_tokens :output, total_tokens :total`,
      ConditionExpression: "attribute_exists(pk)",
      ...(state.names && { ExpressionAttributeNames: state.names }),
      ExpressionAttributeValues: {
        ":now": progress.now,
        ":input": progress.metrics?.input_tokens ?? 0,
        ":output": progress.metrics?.output_tokens ?? 0,
        ":total": progress.metrics?.total_tokens ?? 0,
        ...state.values,
        ...(session_summary && { ":summary": session_summary }),
      },
    },
  };
};

/** An expression may have 4 KB. */
const MOST_KEYS = 100;

type StateUpdate = {
  readonly sets: string[];
  readonly names?: Record<string, string>;
  readonly values: Item;
};

function stateUpdate(change: StateChange | undefined): StateUpdate {
  if (!change) return { sets: [], values: {} };
  const entries = Object.entries(change.changed);
  if (entries.length > MOST_KEYS)
    return { sets: ["session_state = :state"], values: { ":state": change.whole } };
  return {
    sets: entries.map((_, i) => `session_state.#s${i} = :s${i}`),
    names: Object.fromEntries(entries.map(([key], i) => [`#s${i}`, key])),
    values: Object.fromEntries(entries.map(([, value], i) => [`:s${i}`, value])),
  };
}

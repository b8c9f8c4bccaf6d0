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

/** What a finished run leaves in its session. */
export type SessionProgress = {
  readonly metrics: RunMetrics | undefined;
  /** Replaces the session's state. */
  readonly session_state: Item | undefined;
  /** Keys of the session's state that are set, the others stay as they are; never given beside `session_state`. */
  readonly state_changes?: Item;
  readonly summary?: SessionSummary;
  /** Epoch seconds. */
  readonly now: number;
};

/** The entry that adds a finished run to its session's sums; refuses when the session is gone. */
export const progressSession = (db: Db, sessionId: string, progress: SessionProgress): Write => {
  const changes = Object.entries(progress.state_changes ?? {});
  const sets = [
    "updated_at = :now",
    ...(progress.session_state ? ["session_state = :state"] : []),
    ...changes.map((_, i) => `session_state.#s${i} = :s${i}`),
    ...(progress.summary ? ["summary = :summary"] : []),
  ];
  return {
    Update: {
      TableName: db.tables.sessions,
      Key: sessionKey(sessionId),
      UpdateExpression: `SET ${sets.join(", ")} ADD input_tokens :input, output_tokens :output, total_tokens :total`,
      ConditionExpression: "attribute_exists(pk)",
      ...(changes.length > 0 && {
        ExpressionAttributeNames: Object.fromEntries(changes.map(([key], i) => [`#s${i}`, key])),
      }),
      ExpressionAttributeValues: {
        ":now": progress.now,
        ":input": progress.metrics?.input_tokens ?? 0,
        ":output": progress.metrics?.output_tokens ?? 0,
        ":total": progress.metrics?.total_tokens ?? 0,
        ...(progress.session_state && { ":state": progress.session_state }),
        ...Object.fromEntries(changes.map(([, value], i) => [`:s${i}`, value])),
        ...(progress.summary && { ":summary": progress.summary }),
      },
    },
  };
};

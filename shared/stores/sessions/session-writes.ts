import type { RunMetrics, TokenCounts } from "../../schemas/runs/run.ts";
import type { SessionSummary } from "../../schemas/sessions/session.ts";
import type { Db } from "../db.ts";
import type { Write } from "../transact.ts";
import { type StoredSession, sessionItem, tokenSums } from "./session-item.ts";
import { sessionKey } from "./session-keys.ts";
import { spillSession } from "./spill-session.ts";
import type { StateWrite } from "./state-write.ts";

/** The entry that creates a session; it refuses when the id is taken, or its last session is still being removed. */
export const putNewSession = (db: Db, session: StoredSession): Write => ({
  Put: {
    TableName: db.tables.sessions,
    Item: sessionItem(session),
    ConditionExpression: "attribute_not_exists(pk) OR attribute_exists(vacant)",
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  },
});

const notRemoved = " AND attribute_not_exists(deleted_at)";

/**
 * The entry of a run whose acceptance depends on which runs of the session are live. It refuses when another such run
 * was accepted since the session was read, so that of two that saw the same state only one is written.
 */
export const claimTurn = (db: Db, { session_id, turn }: StoredSession): Write => ({
  Update: {
    TableName: db.tables.sessions,
    Key: sessionKey(session_id),
    UpdateExpression: "SET turn = :next",
    ConditionExpression:
      turn === undefined
        ? `attribute_exists(pk) AND attribute_not_exists(turn)${notRemoved}`
        : `turn = :seen${notRemoved}`,
    ExpressionAttributeValues: { ":next": (turn ?? 0) + 1, ...(turn !== undefined && { ":seen": turn }) },
  },
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

/** The entry that a new run writes to its session: its creation, its turn, or none. */
export function enterSession(db: Db, { newSession, turnIn }: SessionEntry): Write | undefined {
  if (newSession) return putNewSession(db, newSession);
  return turnIn && claimTurn(db, turnIn);
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
 * The entry that adds a run to its session's sums, and its changes to the state. Refuses when the session is gone, and when
 * its state was changed since the write of it was planned.
 */
export const progressSession = (
  db: Db,
  sessionId: string,
  progress: SessionProgress,
  state?: StateWrite,
): Write => {
  const { metrics = {}, summary, derived_name, now } = progress;
  const keys = state && "keys" in state ? state.keys : [];
  const whole = state && "whole" in state ? state.whole : undefined;
  const sets = [
    "updated_at = :now",
    "derived_name = if_not_exists(derived_name, :derived_name)",
    ...(whole ? ["session_state = :state"] : []),
    ...(whole?.state_large ? ["state_large = :large"] : []),
    ...keys.map((_, i) => `session_state.#s${i} = :s${i}`),
    ...(summary ? ["summary = :summary"] : []),
  ];
  // A state that is written as a whole, and fits, replaces a large one.
  const removed = whole && !whole.state_large ? " REMOVE state_large" : "";
  const sums = tokenSums.filter((name) => metrics[name] !== undefined);
  const adds = [...sums.map((name) => `${name} :${name}`), ...(state ? ["state_version :one"] : [])];
  return {
    Update: {
      TableName: db.tables.sessions,
      Key: sessionKey(sessionId),
      UpdateExpression: `SET ${sets.join(", ")}${removed}${adds.length > 0 ? ` ADD ${adds.join(", ")}` : ""}`,
      ConditionExpression: `attribute_exists(pk)${notRemoved}${state ? asSeen(state) : ""}`,
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
      ...(keys.length > 0 && {
        ExpressionAttributeNames: Object.fromEntries(keys.map(({ key }, i) => [`#s${i}`, key])),
      }),
      ExpressionAttributeValues: {
        ":now": now,
        ":derived_name": derived_name,
        ...Object.fromEntries(sums.map((name) => [`:${name}`, metrics[name]])),
        ...(state && { ":one": 1 }),
        ...(state && "whole" in state && state.version !== undefined && { ":version": state.version }),
        ...(whole && { ":state": whole.session_state }),
        ...(whole?.state_large && { ":large": whole.state_large }),
        ...Object.fromEntries(
          keys.flatMap(({ value, seen }, i) => [
            [`:s${i}`, value],
            ...(seen === undefined ? [] : [[`:b${i}`, seen]]),
          ]),
        ),
        ...(summary && { ":summary": summary }),
      },
    },
  };
};

/** The condition under which nothing that a change builds on has changed. */
function asSeen(state: StateWrite): string {
  if ("whole" in state) {
    return state.version === undefined
      ? " AND attribute_not_exists(state_version)"
      : " AND state_version = :version";
  }
  const same = state.keys.map(({ seen }, i) =>
    seen === undefined ? `attribute_not_exists(session_state.#s${i})` : `session_state.#s${i} = :b${i}`,
  );
  return ` AND attribute_not_exists(state_large) AND ${same.join(" AND ")}`;
}

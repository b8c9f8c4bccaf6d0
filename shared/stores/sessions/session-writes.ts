import type { RunMetrics } from "../../schemas/run.ts";
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

/** What a finished run leaves in its session. */
export type SessionProgress = {
  readonly metrics: RunMetrics | undefined;
  /** Replaces the session's state when the run was given or has changed one. */
  readonly session_state: Item | undefined;
  /** Epoch seconds. */
  readonly now: number;
};

/** The entry that adds a finished run to its session's sums; refuses when the session is gone. */
export const progressSession = (db: Db, sessionId: string, progress: SessionProgress): Write => ({
  Update: {
    TableName: db.tables.sessions,
    Key: sessionKey(sessionId),
    UpdateExpression: `SET updated_at = :now${progress.session_state ? ", session_state = :state" : ""} ADD input_tokens :input, output_tokens :output, total_tokens :total`,
    ConditionExpression: "attribute_exists(pk)",
    ExpressionAttributeValues: {
      ":now": progress.now,
      ":input": progress.metrics?.input_tokens ?? 0,
      ":output": progress.metrics?.output_tokens ?? 0,
      ":total": progress.metrics?.total_tokens ?? 0,
      ...(progress.session_state && { ":state": progress.session_state }),
    },
  },
});

import * as v from "valibot";
import { SessionSummary } from "../../schemas/session-summary.ts";
import type { Item } from "../transact.ts";

/** Version of the stored shape; raised with every change of it. */
export const SESSION_SHAPE = 1;

/** A session as it is kept. One id has one owner and one component. */
export const StoredSession = v.object({
  session_id: v.string(),
  session_type: v.picklist(["agent", "team", "workflow"]),
  component_id: v.string(),
  user_id: v.nullable(v.string()),
  /** The first message of its first run, shown until somebody names the session. */
  derived_name: v.string(),
  session_state: v.record(v.string(), v.unknown()),
  summary: v.optional(SessionSummary),
  input_tokens: v.number(),
  output_tokens: v.number(),
  total_tokens: v.number(),
  created_at: v.number(),
  updated_at: v.number(),
  /** Counts the runs whose acceptance depended on which runs of the session were live; see `takeTurn`. */
  turn: v.optional(v.number()),
});
export type StoredSession = v.InferOutput<typeof StoredSession>;

export const sessionKey = (sessionId: string) => ({ pk: `session#${sessionId}`, sk: "session" });

export const sessionItem = (session: StoredSession): Item => ({
  ...sessionKey(session.session_id),
  ...session,
  shape: SESSION_SHAPE,
});

export const sessionFrom = (item: Item): StoredSession => v.parse(StoredSession, item);

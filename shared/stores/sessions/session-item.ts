import * as v from "valibot";
import type { Item } from "../../data/item.ts";
import { Compaction } from "../../schemas/sessions/compaction.ts";
import { SessionSummary, SessionType } from "../../schemas/sessions/session.ts";
import { Spilled } from "../objects/spilled.ts";
import { sessionIndexKeys, sessionKey } from "./session-keys.ts";

/** Version of the stored shape; raised with every change of it. */
export const SESSION_SHAPE = 4;

/** Sums over the ended runs of a session. */
export const tokenSums = [
  "input_tokens",
  "output_tokens",
  "total_tokens",
  "cache_read_tokens",
  "cache_write_tokens",
  "reasoning_tokens",
] as const;

/** A session as it is stored. One id has one owner and one component. */
export const StoredSession = v.object({
  session_id: v.string(),
  session_type: SessionType,
  /** Absent until its creator or its first run sets it. */
  component_id: v.optional(v.string()),
  user_id: v.nullable(v.string()),
  /** The name that a user gave it. */
  session_name: v.optional(v.string()),
  /** The first message of its first run, shown until a user names the session. */
  derived_name: v.optional(v.string()),
  session_state: v.record(v.string(), v.unknown()),
  metadata: v.optional(v.record(v.string(), v.unknown())),
  summary: v.optional(SessionSummary),
  /** Stands for older runs in the history that a model is shown. */
  compaction: v.optional(Compaction),
  /** The state, if the item has no room for it; see `spill-session.ts`. */
  state_large: v.optional(Spilled),
  /** Raised by every change of the state; absent before the first, and in older records. */
  state_version: v.optional(v.number()),
  input_tokens: v.number(),
  output_tokens: v.number(),
  total_tokens: v.number(),
  cache_read_tokens: v.optional(v.number()),
  cache_write_tokens: v.optional(v.number()),
  reasoning_tokens: v.optional(v.number()),
  created_at: v.number(),
  updated_at: v.number(),
  /** Counts the runs whose acceptance depended on which runs of the session were live; see `claimTurn`. */
  turn: v.optional(v.number()),
});
export type StoredSession = v.InferOutput<typeof StoredSession>;

export const sessionItem = (session: StoredSession): Item => ({
  ...sessionKey(session.session_id),
  ...session,
  ...sessionIndexKeys(session),
  shape: SESSION_SHAPE,
});

/**
 * A session as its item holds it: `wholeSession` puts back what it only points to.
 *
 * @returns undefined for a tombstone: a session that is being removed no longer exists
 */
export const sessionFrom = (item: Item): StoredSession | undefined =>
  item.deleted_at === undefined ? v.parse(StoredSession, item) : undefined;

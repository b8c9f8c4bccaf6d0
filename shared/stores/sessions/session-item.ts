import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import type { Item } from "../../data/index.ts";
import { Compaction } from "../../schemas/sessions/compaction.ts";
import { SessionSummary, SessionType } from "../../schemas/sessions/session.ts";
import { batchGet } from "../batch-get.ts";
import type { Db } from "../db.ts";
import { indexKeys, placedAmong } from "../index-keys.ts";
import { packJson, Spilled, sessionObjects, spillBytes, unpackJson, unspillBytes } from "../objects/spill.ts";

/** Version of the stored shape; raised with every change of it. */
export const SESSION_SHAPE = 5;

/** Sums over the ended runs of a session. */
export const tokenSums = [
  "input_tokens",
  "output_tokens",
  "total_tokens",
  "cache_read_tokens",
  "cache_write_tokens",
  "reasoning_tokens",
] as const;

/** These and what they cost. */
export const usageSums = [...tokenSums, "cost_nanos", "priced_tokens"] as const;

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
  /** Billionths of a dollar, of `priced_tokens`: the cost of the session is known where these are all its tokens. */
  cost_nanos: v.optional(v.number()),
  priced_tokens: v.optional(v.number()),
  created_at: v.number(),
  updated_at: v.number(),
  /** Counts the runs whose acceptance depended on which runs of the session were live; see `claimTurn`. */
  turn: v.optional(v.number()),
  /** See `placedAmong`. */
  index_shards: v.optional(v.number()),
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

/** A session with its state. @returns undefined when there is none, or when it is being removed */
export async function getSession(db: Db, sessionId: string): Promise<StoredSession | undefined> {
  const head = await getSessionHead(db, sessionId);
  return head && wholeSession(db, head);
}

/** A session without a large state: its item alone shows the owner and the component. */
export async function getSessionHead(db: Db, sessionId: string): Promise<StoredSession | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.sessions, Key: sessionKey(sessionId), ConsistentRead: true }),
  );
  return Item && sessionFrom(Item);
}

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

/** A new session that fits into its item, with its place. The object of a large state is written when this returns. */
export async function spillSession(db: Db, session: StoredSession): Promise<StoredSession> {
  const { index_shards: _, ...placeless } = session;
  const at = { owner: session.user_id, session_id: session.session_id };
  const spilled = await spillState(db, at, session.session_state);
  return { ...placeless, ...spilled, ...placedAmong(db.runIndexShards) };
}

/** A session with the state that its item only points to. @throws ServiceError when it is missing or damaged */
export async function wholeSession(db: Db, stored: StoredSession): Promise<StoredSession> {
  const { state_large, ...session } = stored;
  if (!state_large) return session;
  const large = await unpackJson<State>(await unspillBytes(db, state_large));
  // Keys that were set one by one since then are in the item.
  return { ...session, session_state: { ...large, ...session.session_state } };
}

/** Reads sessions by id, in the order of the ids, each once. Missing ones are left out. */
export async function readSessions(db: Db, ids: readonly string[]): Promise<StoredSession[]> {
  const distinct = [...new Set(ids)];
  const items = await batchGet(db, db.tables.sessions, distinct.map(sessionKey));
  const byId = new Map(items.map((item) => [item.session_id, sessionFrom(item)]));
  return distinct.flatMap((id) => byId.get(id) ?? []);
}

export const sessionKey = (sessionId: string) => ({ pk: `session#${sessionId}`, sk: "session" });

/** Partition of the tombstones. */
export const REMOVED = "removed";

type Placed = Pick<StoredSession, "session_id" | "user_id" | "created_at" | "index_shards">;

/** The attributes that place a session in the indexes. */
export const sessionIndexKeys = ({ session_id, index_shards, ...placed }: Placed) =>
  indexKeys({ id: session_id, ...placed }, index_shards);

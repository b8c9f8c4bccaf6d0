import { indexKeys } from "../listing/index-keys.ts";

export const sessionKey = (sessionId: string) => ({ pk: `session#${sessionId}`, sk: "session" });

/** Partition of the tombstones. */
export const REMOVED = "removed";

type Placed = { readonly session_id: string; readonly user_id: string | null; readonly created_at: number };

/** The attributes that place a session in the indexes. */
export const sessionIndexKeys = ({ session_id, ...placed }: Placed) =>
  indexKeys({ id: session_id, ...placed });

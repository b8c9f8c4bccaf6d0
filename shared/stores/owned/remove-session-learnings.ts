import type { Db } from "../db.ts";
import { ownerPartition } from "../listing/index-keys.ts";
import { listedRows } from "../listing/listed-rows.ts";
import { learningKind } from "./learning-item.ts";
import { removeOwned } from "./remove-owned.ts";

/** Removes what was learned about one session of a user; what was learned about the user stays. Idempotent. */
export async function removeSessionLearnings(db: Db, owner: string | null, sessionId: string): Promise<void> {
  const ids: string[] = [];
  const rows = listedRows(db, learningKind.listing, ownerPartition(owner), { forward: true });
  for await (const { learning_id, session_id } of rows) if (session_id === sessionId) ids.push(learning_id);
  await removeOwned(db, learningKind, owner, ids);
}

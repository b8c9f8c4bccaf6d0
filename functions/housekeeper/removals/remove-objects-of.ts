import type { Db } from "../../../shared/stores/db.ts";
import { sessionObjects } from "../../../shared/stores/objects/spill.ts";

/** Removes what a session has stored outside the tables. May be called again for the same session. */
export type RemoveObjectsOf = (owner: string | null, sessionId: string) => Promise<void>;

/** Its media, and the values that were too large for an item. */
export const removeObjectsFrom =
  (db: Db): RemoveObjectsOf =>
  (owner, sessionId) =>
    db.objects.removeAll(sessionObjects(owner, sessionId));

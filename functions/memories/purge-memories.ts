import type { Db } from "../../shared/stores/db.ts";
import { memoryKind } from "../../shared/stores/owned/memory-item.ts";
import { removeOwned, removeWherever } from "../../shared/stores/owned/remove-owned.ts";

/** Removes memories; ids that match nothing change nothing. @param owner whose; undefined for any user's */
export async function purgeMemories(
  db: Db,
  ids: readonly string[],
  owner: string | undefined,
): Promise<void> {
  if (owner === undefined) await removeWherever(db, memoryKind, ids);
  else await removeOwned(db, memoryKind, owner, ids);
}

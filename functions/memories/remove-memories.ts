import type { Handler } from "../../shared/http/handler.ts";
import type { memoryRoutes } from "../../shared/routes/memories.ts";
import type { Db } from "../../shared/stores/db.ts";
import { memoryKind, removeOwned, removeWherever } from "../../shared/stores/owned/index.ts";
import type { MemoriesDeps } from "./memories-deps.ts";
import { memoryOwner } from "./memory-owner.ts";

/** @source docs/interface/memories.md 2.5 */
export const removeMemories: Handler<typeof memoryRoutes.removeMemories, Pick<MemoriesDeps, "db">> = async (
  { body, query, principal },
  { db },
) => {
  await purgeMemories(db, body.memory_ids, memoryOwner(principal, body.user_id, query));
  return undefined;
};

/** Removes memories; ids that match nothing change nothing. @param owner whose; undefined for any user's */
export async function purgeMemories(
  db: Db,
  ids: readonly string[],
  owner: string | undefined,
): Promise<void> {
  if (owner === undefined) await removeWherever(db, memoryKind, ids);
  else await removeOwned(db, memoryKind, owner, ids);
}

import { notFound } from "../../shared/errors.ts";
import type { Db } from "../../shared/stores/db.ts";
import { getOwned, memoryKind, type StoredMemory } from "../../shared/stores/owned/index.ts";

/**
 * @param owner  whose memory is meant; undefined for any user's
 * @throws ServiceError NOT_FOUND for one that is unknown or another user's
 */
export async function visibleMemory(
  db: Db,
  memoryId: string,
  owner: string | undefined,
): Promise<StoredMemory> {
  const memory = await getOwned(db, memoryKind, memoryId, owner);
  if (!memory) throw notFound("memory", memoryId);
  return memory;
}

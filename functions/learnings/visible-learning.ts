import type { Caller } from "../../shared/auth/caller.ts";
import { notFound, ServiceError } from "../../shared/errors.ts";
import type { Db } from "../../shared/stores/db.ts";
import { getOwned, learningKind, ownerOf, type StoredLearning } from "../../shared/stores/owned/index.ts";

/**
 * The learning that a request is about.
 *
 * @throws ServiceError NOT_FOUND for one that is unknown or another user's
 */
export async function visibleLearning(db: Db, caller: Caller, id: string): Promise<StoredLearning> {
  const place = await ownerOf(db, learningKind, id);
  const isVisible = place && (caller.seesAll || place.owner === null || place.owner === caller.user_id);
  const learning = isVisible ? await getOwned(db, learningKind, id, place.owner) : undefined;
  if (!learning) throw notFound("learning", id);
  return learning;
}

/** The same where it is to be changed. @throws ServiceError UNAUTHORIZED for what is unowned, unless the caller is an admin */
export async function changeableLearning(db: Db, caller: Caller, id: string): Promise<StoredLearning> {
  const learning = await visibleLearning(db, caller, id);
  if (caller.seesAll || learning.user_id !== null) return learning;
  throw new ServiceError("UNAUTHORIZED", "this learning has no owner; only an admin may change it");
}

import type { Caller } from "../../shared/auth/caller.ts";
import { notFound } from "../../shared/errors.ts";
import type { Db } from "../../shared/stores/db.ts";
import { getEndpoint, type StoredEndpoint } from "../../shared/stores/outbox/index.ts";

/**
 * An endpoint that the caller may see: one for the caller's own runs, or any for callers who receive all users' events. One
 * for all users' runs is not shown to an owner who may not receive them any more.
 *
 * @throws ServiceError NOT_FOUND, with one text for every cause
 */
export async function visibleEndpoint(db: Db, caller: Caller, id: string): Promise<StoredEndpoint> {
  const endpoint = await getEndpoint(db, id);
  const isOwn = endpoint?.audience === "own" && endpoint.user_id === caller.user_id;
  if (!endpoint || !(caller.seesAll || isOwn)) throw notFound("webhook endpoint", id);
  return endpoint;
}

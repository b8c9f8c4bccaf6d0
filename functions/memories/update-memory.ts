import { callerOf } from "../../shared/auth/caller.ts";
import { notFound } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { memoryRoutes } from "../../shared/routes/memories.ts";
import { memoryKind, updateOwned, wireMemory } from "../../shared/stores/owned/index.ts";
import type { MemoriesDeps } from "./memories-deps.ts";
import { namedMemoryOwner } from "./memory-owner.ts";
import { visibleMemory } from "./visible-memory.ts";

/**
 * Replaces text and topics; who wrote the memory, and whose it is, stays. An admin must name a user, as for creating a
 * memory, and finds the memory of any user.
 *
 * @source  docs/interface/memories.md 2.2
 * @decided an unknown id is 404 for an admin too: nothing is made under an id that a client chose
 */
export const updateMemory: Handler<
  typeof memoryRoutes.updateMemory,
  Pick<MemoriesDeps, "db" | "clock">
> = async ({ params, query, body, principal }, { db, clock }) => {
  const owner = namedMemoryOwner(principal, body.user_id, query);
  const { seesAll } = callerOf(principal);
  const seen = await visibleMemory(db, params.memory_id, seesAll ? undefined : owner);
  const change = { memory: body.memory, topics: body.topics ?? [] };
  const updated = await updateOwned(db, memoryKind, seen, change, clock.now());
  if (!updated) throw notFound("memory", params.memory_id);
  return wireMemory(updated);
};

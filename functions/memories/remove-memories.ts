import type { Handler } from "../../shared/http/handler.ts";
import type { memoryRoutes } from "../../shared/routes/memories.ts";
import type { MemoriesDeps } from "./memories-deps.ts";
import { memoryOwner } from "./memory-owner.ts";
import { purgeMemories } from "./purge-memories.ts";

/** @source docs/interface/memories.md 2.5 */
export const removeMemories: Handler<typeof memoryRoutes.removeMemories, Pick<MemoriesDeps, "db">> = async (
  { body, query, principal },
  { db },
) => {
  await purgeMemories(db, body.memory_ids, memoryOwner(principal, body.user_id, query));
  return undefined;
};

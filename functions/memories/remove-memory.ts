import type { Handler } from "../../shared/http/handler.ts";
import type { memoryRoutes } from "../../shared/routes/memories.ts";
import type { MemoriesDeps } from "./memories-deps.ts";
import { memoryOwner } from "./memory-owner.ts";
import { purgeMemories } from "./remove-memories.ts";

/** Answers the same for a memory that is unknown or another user's. */
export const removeMemory: Handler<typeof memoryRoutes.removeMemory, Pick<MemoriesDeps, "db">> = async (
  { params, query, principal },
  { db },
) => {
  await purgeMemories(db, [params.memory_id], memoryOwner(principal, query.user_id, query));
  return undefined;
};

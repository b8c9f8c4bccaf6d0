import type { Handler } from "../../shared/http/handler.ts";
import type { memoryRoutes } from "../../shared/routes/memories.ts";
import { pageMeta } from "../../shared/schemas/values/page.ts";
import { listOwners, wireTime } from "../../shared/stores/owned/index.ts";
import type { MemoriesDeps } from "./memories-deps.ts";
import { memoryOwner } from "./memory-owner.ts";

/** @source docs/interface/memories.md 2.4 */
export const listUserMemoryStats: Handler<
  typeof memoryRoutes.listUserMemoryStats,
  Pick<MemoriesDeps, "db">
> = async ({ query, principal }, { db }) => {
  const { page, limit } = query;
  const owner = memoryOwner(principal, query.user_id, query);
  const filter = {
    owner,
    sort_by: "changed_at",
    sort_order: "desc",
    page: Math.max(1, page),
    limit,
  } as const;
  const { owners, total } = await listOwners(db, "memories", filter);
  const data = owners.map(({ user_id, records, changed_at_ms }) => ({
    user_id,
    total_memories: records,
    last_memory_updated_at: wireTime(changed_at_ms),
  }));
  return { data, meta: pageMeta(page, limit, total, 0) };
};

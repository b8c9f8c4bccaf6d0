import type { Handler } from "../../shared/http/handler.ts";
import type { memoryRoutes } from "../../shared/routes/memories.ts";
import { pageMeta } from "../../shared/schemas/values/page.ts";
import { listMemories as findMemories, wireMemory } from "../../shared/stores/owned/index.ts";
import type { MemoriesDeps } from "./memories-deps.ts";
import { memoryOwner } from "./memory-owner.ts";

/** Memories of one page at most, whatever the request says. */
const MAX_LIMIT = 1000;

/**
 * One page of memories. Page 0 is the first page, and echoed as 0.
 *
 * @source docs/interface/memories.md 2.3
 */
export const listMemories: Handler<typeof memoryRoutes.listMemories, Pick<MemoriesDeps, "db">> = async (
  { query, principal },
  { db },
) => {
  const { agent_id, team_id, search_content, sort_by, sort_order, page, topics = [] } = query;
  const limit = Math.min(query.limit, MAX_LIMIT);
  const { records, total } = await findMemories(db, {
    owner: memoryOwner(principal, query.user_id, query),
    agent_id,
    team_id,
    topics: topicsIn(topics),
    search_content,
    sort_by,
    sort_order,
    page: Math.max(1, page),
    limit,
  });
  return { data: records.map(wireMemory), meta: pageMeta(page, limit, total, 0) };
};

const topicsIn = (lists: readonly string[]): string[] =>
  lists
    .flatMap((list) => list.split(","))
    .map((topic) => topic.trim())
    .filter((topic) => topic !== "");

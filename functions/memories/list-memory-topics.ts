import type { Handler } from "../../shared/http/handler.ts";
import type { memoryRoutes } from "../../shared/routes/memories.ts";
import { memoryKind, readRows } from "../../shared/stores/owned/index.ts";
import type { MemoriesDeps } from "./memories-deps.ts";
import { memoryOwner } from "./memory-owner.ts";

/** Each topic once, in ascending order. */
export const listMemoryTopics: Handler<
  typeof memoryRoutes.listMemoryTopics,
  Pick<MemoriesDeps, "db">
> = async ({ query, principal }, { db }) => {
  const owner = memoryOwner(principal, query.user_id, query);
  const rows = await readRows(db, memoryKind, owner === undefined ? undefined : [owner], "topic");
  return [...new Set(rows.flatMap(({ topics }) => topics ?? []))].sort();
};

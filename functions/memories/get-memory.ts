import type { Handler } from "../../shared/http/handler.ts";
import type { memoryRoutes } from "../../shared/routes/memories.ts";
import { wireMemory } from "../../shared/stores/owned/index.ts";
import type { MemoriesDeps } from "./memories-deps.ts";
import { memoryOwner } from "./memory-owner.ts";
import { visibleMemory } from "./visible-memory.ts";

export const getMemory: Handler<typeof memoryRoutes.getMemory, Pick<MemoriesDeps, "db">> = async (
  { params, query, principal },
  { db },
) => wireMemory(await visibleMemory(db, params.memory_id, memoryOwner(principal, query.user_id, query)));

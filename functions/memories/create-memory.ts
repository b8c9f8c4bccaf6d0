import type { Handler } from "../../shared/http/handler.ts";
import type { memoryRoutes } from "../../shared/routes/memories.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { createOwned, memoryKind, wireMemory } from "../../shared/stores/owned/index.ts";
import type { MemoriesDeps } from "./memories-deps.ts";
import { namedMemoryOwner } from "./memory-owner.ts";

type Needs = Pick<MemoriesDeps, "db" | "clock" | "newId">;

/** @source docs/interface/memories.md 2.1 */
export const createMemory: Handler<typeof memoryRoutes.createMemory, Needs> = async (
  { body, query, principal },
  { db, clock, newId },
) => {
  const memory = {
    memory_id: newId(),
    memory: body.memory,
    topics: body.topics ?? [],
    agent_id: null,
    team_id: null,
    user_id: namedMemoryOwner(principal, body.user_id, query),
    created_at: epochSeconds(clock),
    changed_at_ms: clock.now(),
  };
  if (!(await createOwned(db, memoryKind, memory))) throw new Error("a new id is taken");
  return wireMemory(memory);
};

import { type Clock, epochSeconds } from "../../shared/runtime/clock.ts";
import type { StoredMemory } from "../../shared/stores/owned/index.ts";

/**
 * The memory that several become.
 *
 * @param memory  its text
 * @returns       all their topics, each once; who wrote it only where they agree
 */
export function planMerge(
  memories: readonly StoredMemory[],
  memory: string,
  { user_id, memory_id, clock }: { user_id: string; memory_id: string; clock: Clock },
): StoredMemory {
  const topics = [...new Set(memories.flatMap((one) => one.topics ?? []))].sort();
  return {
    memory_id,
    memory,
    topics: topics.length > 0 ? topics : null,
    agent_id: agreed(memories.map(({ agent_id }) => agent_id)),
    team_id: agreed(memories.map(({ team_id }) => team_id)),
    user_id,
    created_at: epochSeconds(clock),
    changed_at_ms: clock.now(),
  };
}

function agreed(ids: readonly (string | null)[]): string | null {
  const named = [...new Set(ids)].filter((id) => id !== null);
  return named.length === 1 ? (named[0] ?? null) : null;
}

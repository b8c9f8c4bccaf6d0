import type { OptimizedMemories } from "../../shared/schemas/memories/memory.ts";
import { type StoredMemory, wireMemory } from "../../shared/stores/owned/index.ts";

const CHARS_PER_TOKEN = 4;

/** About how many tokens memories use in a prompt. @source docs/interface/memories.md 3.1 */
export const tokensOf = (memories: readonly StoredMemory[]): number =>
  memories.reduce((sum, { memory }) => sum + Math.floor(memory.length / CHARS_PER_TOKEN), 0);

/** What changes when some memories take the place of others; nothing is saved where they use more. */
export function compareMemories(
  before: readonly StoredMemory[],
  after: readonly StoredMemory[],
): OptimizedMemories {
  const tokens_before = tokensOf(before);
  const tokens_after = tokensOf(after);
  const tokens_saved = Math.max(0, tokens_before - tokens_after);
  return {
    memories: after.map(wireMemory),
    memories_before: before.length,
    memories_after: after.length,
    tokens_before,
    tokens_after,
    tokens_saved,
    reduction_percentage: tokens_before === 0 ? 0 : (tokens_saved / tokens_before) * 100,
  };
}

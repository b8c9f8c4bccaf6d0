import { requireRegisteredModel } from "../../shared/engine/component/registered-model.ts";
import { mergeMemories } from "../../shared/engine/recall/merge-memories.ts";
import { answerWithinBudget } from "../../shared/engine/turn/answer-within-budget.ts";
import { notFound, ServiceError } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { memoryRoutes } from "../../shared/routes/memories.ts";
import { type Clock, epochSeconds } from "../../shared/runtime/clock.ts";
import type { OptimizedMemories } from "../../shared/schemas/memories/memory.ts";
import { normalModelSpec } from "../../shared/schemas/values/model-spec.ts";
import {
  memoryKind,
  recordsOf,
  replaceOwned,
  type StoredMemory,
  wireMemory,
} from "../../shared/stores/owned/index.ts";
import type { MemoriesDeps } from "./memories-deps.ts";
import { namedMemoryOwner } from "./memory-owner.ts";

/**
 * Has a model merge a user's memories into one, which takes their place.
 *
 * @source  docs/interface/memories.md 3.2
 * @decided a merged memory that is not shorter takes the place of none: the answer shows the memories as they stay
 */
export const optimizeMemories: Handler<typeof memoryRoutes.optimizeMemories, MemoriesDeps> = async (
  { body, query, principal, signal },
  deps,
) => {
  const { db, clock, newId } = deps;
  const user_id = namedMemoryOwner(principal, body.user_id, query);
  const spec = specFrom(body.model, deps);
  const memories = await oldestFirst(recordsOf(db, memoryKind, user_id));
  if (memories.length === 0) throw notFound("memories of user", user_id);
  const call = { spec, user_id: principal.user_id, key: `memories#${newId()}` };
  const text = await merge(memories, (options) => answerWithinBudget(deps, { ...call, options }, signal));
  const merged = planMerge(memories, text, { user_id, memory_id: newId(), clock });
  if (!body.apply) return compareMemories(memories, [merged]);
  if (tokensOf([merged]) >= tokensOf(memories)) return compareMemories(memories, memories);
  if (!(await replaceOwned(db, memoryKind, memories, merged))) throw changedMeanwhile();
  return compareMemories(memories, [merged]);
};

const oldestFirst = async (found: Promise<StoredMemory[]>): Promise<StoredMemory[]> =>
  (await found).sort((a, b) => a.changed_at_ms - b.changed_at_ms);

/** @returns undefined for the configured default */
function specFrom(
  name: string | null | undefined,
  { registry, models }: Pick<MemoriesDeps, "registry" | "models">,
): string | undefined {
  if (name === null || name === undefined) return undefined;
  const spec = normalModelSpec(name);
  if (spec === undefined) {
    throw new ServiceError("BAD_REQUEST", `${name} names no model: expected <provider>:<id>`);
  }
  requireRegisteredModel(spec, registry, models);
  return spec;
}

async function merge(
  memories: readonly StoredMemory[],
  query: Parameters<typeof mergeMemories>[0],
): Promise<string> {
  const texts = memories.map(({ memory }) => memory);
  try {
    return await mergeMemories(query, texts);
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause;
    const detail = "the model did not answer; the memories are as they were";
    throw new ServiceError("INTERNAL_SERVER_ERROR", detail, { cause });
  }
}

const changedMeanwhile = (): ServiceError =>
  new ServiceError("CONFLICT", "a memory was changed while they were merged; try again");

const CHARS_PER_TOKEN = 4;

/** About how many tokens memories use in a prompt. @source docs/interface/memories.md 3.1 */
const tokensOf = (memories: readonly StoredMemory[]): number =>
  memories.reduce((sum, { memory }) => sum + Math.floor(memory.length / CHARS_PER_TOKEN), 0);

/** What changes when some memories take the place of others; nothing is saved where they use more. */
function compareMemories(before: readonly StoredMemory[], after: readonly StoredMemory[]): OptimizedMemories {
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

/**
 * The memory that several become.
 *
 * @param memory  its text
 * @returns       all their topics, each once; who wrote it only where they agree
 */
function planMerge(
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

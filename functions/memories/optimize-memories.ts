import { requireRegisteredModel } from "../../shared/engine/component/registered-model.ts";
import { mergeMemories } from "../../shared/engine/recall/merge-memories.ts";
import { answerWithinBudget } from "../../shared/engine/turn/answer-within-budget.ts";
import { notFound, ServiceError } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { memoryRoutes } from "../../shared/routes/memories.ts";
import { normalModelSpec } from "../../shared/schemas/values/model-spec.ts";
import { memoryKind, recordsOf, replaceOwned, type StoredMemory } from "../../shared/stores/owned/index.ts";
import { compareMemories, tokensOf } from "./compare-memories.ts";
import type { MemoriesDeps } from "./memories-deps.ts";
import { namedMemoryOwner } from "./memory-owner.ts";
import { planMerge } from "./plan-merge.ts";

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

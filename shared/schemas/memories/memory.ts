import * as v from "valibot";
import { describedAs } from "../values/described-as.ts";
import { KeyText } from "../values/key-text.ts";
import { maxChars } from "../values/max-chars.ts";
import { modelSpecSchema } from "../values/model-provider.ts";

const MAX_CHARS = 5000;

/** Something that is remembered of a user. @source contract, memories-and-learnings 2.1 */
export const UserMemory = v.object({
  memory_id: v.string(),
  memory: v.string(),
  topics: v.nullable(v.array(v.string())),
  /** The agent or the team that wrote it; null for one from the API. */
  agent_id: v.nullable(v.string()),
  team_id: v.nullable(v.string()),
  user_id: v.nullable(v.string()),
  /** RFC 3339. */
  updated_at: v.nullable(v.string()),
});
export type UserMemory = v.InferOutput<typeof UserMemory>;

export const UserMemoryStats = v.object({
  user_id: v.string(),
  total_memories: v.number(),
  /** RFC 3339. Removing a memory does not change it. */
  last_memory_updated_at: v.nullable(v.string()),
});
export type UserMemoryStats = v.InferOutput<typeof UserMemoryStats>;

/** The text of a memory, and its topics. */
export const MemoryText = v.pipe(v.string(), v.minLength(1), maxChars(MAX_CHARS));
export const MemoryTopics = v.pipe(v.array(v.pipe(v.string(), maxChars(200))), v.maxLength(100));

/** For a new memory, or to replace the content of one. @source contract, memories-and-learnings 2.3 */
export const MemoryBody = v.object({
  memory: MemoryText,
  user_id: v.nullish(KeyText),
  topics: v.nullish(MemoryTopics),
});

/** Most memories that one request removes. */
const MAX_REMOVALS = 1000;

/** @source contract, memories-and-learnings 2.5 */
export const RemoveMemoriesBody = v.object({
  memory_ids: v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(MAX_REMOVALS)),
  user_id: v.nullish(KeyText),
});

/** @source contract, memories-and-learnings 2.6 */
export const OptimizeMemoriesBody = v.object({
  user_id: KeyText,
  /** Checked in the handler: a text that names no model answers 400, not 422. */
  model: v.nullish(describedAs(v.string(), modelSpecSchema)),
  apply: v.optional(v.boolean(), true),
});

/** @source contract, memories-and-learnings 2.6 */
export const OptimizedMemories = v.object({
  memories: v.array(UserMemory),
  memories_before: v.number(),
  memories_after: v.number(),
  tokens_before: v.number(),
  tokens_after: v.number(),
  tokens_saved: v.number(),
  /** 0 to 100. */
  reduction_percentage: v.number(),
});
export type OptimizedMemories = v.InferOutput<typeof OptimizedMemories>;

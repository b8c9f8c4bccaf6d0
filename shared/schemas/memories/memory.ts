import * as v from "valibot";
import { describedAs, meaning } from "../values/described-as.ts";
import { KeyText } from "../values/key-text.ts";
import { maxChars } from "../values/max-chars.ts";
import { modelSpecSchema } from "../values/model-spec.ts";

const MAX_CHARS = 5000;

/** Something that is remembered of a user. @source docs/interface/memories.md 1.1 */
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

/** For a new memory, or to replace the content of one. */
export const MemoryBody = v.object({
  memory: meaning(MemoryText, "What is remembered"),
  user_id: meaning(v.nullish(KeyText), "Of whom; admins only, for all others it is the token's"),
  topics: meaning(v.nullish(MemoryTopics), "What it is about"),
});

/** Most memories that one request removes. */
const MAX_REMOVALS = 1000;

export const RemoveMemoriesBody = v.object({
  memory_ids: meaning(
    v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(MAX_REMOVALS)),
    "Ids of the memories",
  ),
  user_id: meaning(v.nullish(KeyText), "Whose they are; admins only, for all others it is the token's"),
});

export const OptimizeMemoriesBody = v.object({
  user_id: meaning(KeyText, "Whose memories are merged"),
  /** Checked in the handler: a text that names no model answers 400, not 422. */
  model: meaning(
    v.nullish(describedAs(v.string(), modelSpecSchema)),
    "The model that merges them; the default one without it",
  ),
  apply: meaning(v.optional(v.boolean(), true), "Whether the merged memory takes the place of the others"),
});

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

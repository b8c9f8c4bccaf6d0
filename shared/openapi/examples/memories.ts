import type { memoryRoutes } from "../../routes/memories.ts";
import type { UserMemory } from "../../schemas/memories/memory.ts";
import type { ExamplesOf } from "./example.ts";
import { pageWith } from "./page-with.ts";
import { pathExamples } from "./path-examples.ts";

const memory: UserMemory = {
  memory_id: pathExamples.memory_id,
  memory: "Maria prefers trains to flights.",
  topics: ["travel"],
  agent_id: null,
  team_id: null,
  user_id: "maria",
  updated_at: "2026-03-04T09:15:00Z",
};

export const memoryExamples: ExamplesOf<typeof memoryRoutes> = {
  createMemory: {
    body: { memory: memory.memory, topics: ["travel"], user_id: "maria" },
    answer: memory,
  },
  listMemories: { query: { user_id: "maria", topics: ["travel"] }, answer: pageWith(memory) },
  removeMemories: { body: { memory_ids: [memory.memory_id], user_id: "maria" } },
  getMemory: { query: { user_id: "maria" }, answer: memory },
  updateMemory: {
    body: { memory: "Maria prefers night trains.", topics: ["travel"], user_id: "maria" },
    answer: { ...memory, memory: "Maria prefers night trains." },
  },
  removeMemory: { query: { user_id: "maria" } },
  listMemoryTopics: { query: { user_id: "maria" }, answer: ["food", "travel"] },
  listUserMemoryStats: {
    answer: pageWith({
      user_id: "maria",
      total_memories: 12,
      last_memory_updated_at: "2026-03-04T09:15:00Z",
    }),
  },
  optimizeMemories: {
    body: { user_id: "maria", apply: false },
    answer: {
      memories: [{ ...memory, memory: "Maria prefers night trains to flights and is a vegetarian." }],
      memories_before: 12,
      memories_after: 1,
      tokens_before: 310,
      tokens_after: 42,
      tokens_saved: 268,
      reduction_percentage: 86.45,
    },
  },
};

// Generated from the route table by `npm run routes`; do not edit.
export { createMemory } from "./create-memory.ts";
export { getMemory } from "./get-memory.ts";
export { listMemories } from "./list-memories.ts";
export { listMemoryTopics } from "./list-memory-topics.ts";
export { listUserMemoryStats } from "./list-user-memory-stats.ts";
export { optimizeMemories } from "./optimize-memories.ts";
export { removeMemories } from "./remove-memories.ts";
export { removeMemory } from "./remove-memory.ts";
export { updateMemory } from "./update-memory.ts";

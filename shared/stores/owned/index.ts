export { createOwned, updateOwned } from "./change-owned.ts";
export { getOwned, ownerOf, recordsOf } from "./get-owned.ts";
export {
  GLOBAL_NAMESPACE,
  learningIdOf,
  learningKind,
  type StoredLearning,
  wireLearning,
} from "./learning-item.ts";
export { listLearnings, listLearningUsers } from "./list-learnings.ts";
export { listMemories } from "./list-memories.ts";
export { listOwned, listOwners, readRows } from "./list-owned.ts";
export { memoryKind, type StoredMemory, wireMemory, wireTime } from "./memory-item.ts";
export { removeOwned, removeSessionLearnings, removeWherever, replaceOwned } from "./remove-owned.ts";

import type { Learning } from "../../schemas/memories/learning.ts";
import type { StoredLearning } from "./learning-item.ts";

/** A learning as clients see it. */
export const wireLearning = ({ changed_at_ms, ...learning }: StoredLearning): Learning => ({
  ...learning,
  updated_at: Math.floor(changed_at_ms / 1000),
});

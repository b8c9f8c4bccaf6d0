import { notFound } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { learningRoutes } from "../../shared/routes/learnings.ts";
import { learningKind, updateOwned, wireLearning } from "../../shared/stores/owned/index.ts";
import { refuseLarge } from "./create-learning.ts";
import { learningCaller } from "./learning-owners.ts";
import type { LearningsDeps } from "./learnings-deps.ts";
import { changeableLearning } from "./visible-learning.ts";

/** @source docs/interface/learnings.md 2.2 */
export const updateLearning: Handler<
  typeof learningRoutes.updateLearning,
  Pick<LearningsDeps, "db" | "clock">
> = async ({ params, query, body, principal }, { db, clock }) => {
  const { learning_id } = params;
  const seen = await changeableLearning(db, learningCaller(principal, query), learning_id);
  const change = {
    ...(body.content !== undefined && { content: body.content }),
    ...(body.metadata !== undefined && { metadata: body.metadata }),
  };
  if (Object.keys(change).length === 0) return wireLearning(seen);
  refuseLarge({ ...seen, ...change });
  const updated = await updateOwned(db, learningKind, seen, change, clock.now());
  if (!updated) throw notFound("learning", learning_id);
  return wireLearning(updated);
};

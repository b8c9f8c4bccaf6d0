import { notFound } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { learningRoutes } from "../../shared/routes/learnings.ts";
import { learningKind, removeOwned } from "../../shared/stores/owned/index.ts";
import { learningCaller } from "./learning-owners.ts";
import type { LearningsDeps } from "./learnings-deps.ts";
import { changeableLearning } from "./visible-learning.ts";

/** Unlike a memory, one that is not there is 404. */
export const removeLearning: Handler<
  typeof learningRoutes.removeLearning,
  Pick<LearningsDeps, "db">
> = async ({ params, query, principal }, { db }) => {
  const { learning_id } = params;
  const { user_id } = await changeableLearning(db, learningCaller(principal, query), learning_id);
  const removed = await removeOwned(db, learningKind, user_id, [learning_id]);
  if (removed === 0) throw notFound("learning", learning_id);
  return undefined;
};

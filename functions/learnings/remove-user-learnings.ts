import type { Handler } from "../../shared/http/handler.ts";
import type { learningRoutes } from "../../shared/routes/learnings.ts";
import { learningKind, recordsOf, removeOwned } from "../../shared/stores/owned/index.ts";
import { learningCaller, refuseForeign } from "./learning-owners.ts";
import type { LearningsDeps } from "./learnings-deps.ts";

/** @source docs/interface/learnings.md 1.3 */
export const removeUserLearnings: Handler<
  typeof learningRoutes.removeUserLearnings,
  Pick<LearningsDeps, "db">
> = async ({ params, query, principal }, { db }) => {
  const { user_id } = params;
  refuseForeign(learningCaller(principal, query), user_id);
  const learnings = await recordsOf(db, learningKind, user_id);
  const wanted = learnings.filter(
    ({ learning_type }) => query.learning_type === undefined || learning_type === query.learning_type,
  );
  await removeOwned(db, learningKind, user_id, wanted.map(learningKind.idOf));
  return undefined;
};

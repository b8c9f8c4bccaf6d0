import { ServiceError } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { learningRoutes } from "../../shared/routes/learnings.ts";
import { createOwned } from "../../shared/stores/owned/change-owned.ts";
import { learningKind, wireLearning } from "../../shared/stores/owned/learning-item.ts";
import { learningCaller, refuseForeign } from "./learning-owners.ts";
import type { LearningsDeps } from "./learnings-deps.ts";
import { planLearning } from "./plan-learning.ts";
import { refuseLarge } from "./refuse-large.ts";

/** Without a user it is unowned, and every user may read it. @source docs/interface/learnings.md 2.4 */
export const createLearning: Handler<typeof learningRoutes.createLearning, LearningsDeps> = async (
  { body, query, principal },
  { db, clock, newId },
) => {
  refuseForeign(learningCaller(principal, query), body.user_id);
  const learning = planLearning(body, { clock, newId });
  refuseLarge(learning);
  if (!(await createOwned(db, learningKind, learning))) throw idTaken(learning.learning_id);
  return wireLearning(learning);
};

const idTaken = (id: string): ServiceError =>
  new ServiceError("CONFLICT", `learning ${id} exists already; change it with PATCH /learnings/${id}`);

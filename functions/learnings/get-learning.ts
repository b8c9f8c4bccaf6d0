import type { Handler } from "../../shared/http/handler.ts";
import type { learningRoutes } from "../../shared/routes/learnings.ts";
import { wireLearning } from "../../shared/stores/owned/index.ts";
import { learningCaller } from "./learning-owners.ts";
import type { LearningsDeps } from "./learnings-deps.ts";
import { visibleLearning } from "./visible-learning.ts";

export const getLearning: Handler<typeof learningRoutes.getLearning, Pick<LearningsDeps, "db">> = async (
  { params, query, principal },
  { db },
) => wireLearning(await visibleLearning(db, learningCaller(principal, query), params.learning_id));

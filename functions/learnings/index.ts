import { httpOptionsFrom } from "../../shared/http/http-options.ts";
import { serve } from "../../shared/http/serve.ts";
import { learningRoutes } from "../../shared/routes/learnings.ts";
import { systemClock } from "../../shared/runtime/clock.ts";
import { newId } from "../../shared/runtime/ids.ts";
import { learningsEnv } from "../../shared/settings/environments.ts";
import { readEnv } from "../../shared/settings/read-env.ts";
import { connectDb } from "../../shared/stores/db.ts";
import { createLearning } from "./create-learning.ts";
import { getLearning } from "./get-learning.ts";
import type { LearningsDeps } from "./learnings-deps.ts";
import { listLearningUsers } from "./list-learning-users.ts";
import { listLearnings } from "./list-learnings.ts";
import { removeLearning } from "./remove-learning.ts";
import { removeUserLearnings } from "./remove-user-learnings.ts";
import { updateLearning } from "./update-learning.ts";

const env = readEnv(learningsEnv);
const deps: LearningsDeps = { db: connectDb(env), clock: systemClock, newId };
const handlers = {
  listLearnings,
  createLearning,
  listLearningUsers,
  removeUserLearnings,
  getLearning,
  updateLearning,
  removeLearning,
};

export const handler = serve(learningRoutes, handlers, deps, httpOptionsFrom(env));

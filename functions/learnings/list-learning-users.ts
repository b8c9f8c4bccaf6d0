import type { Handler } from "../../shared/http/handler.ts";
import type { learningRoutes } from "../../shared/routes/learnings.ts";
import { pageMeta } from "../../shared/schemas/values/page.ts";
import { listLearningUsers as findUsers } from "../../shared/stores/owned/index.ts";
import { learningCaller, refuseForeign } from "./learning-owners.ts";
import type { LearningsDeps } from "./learnings-deps.ts";

/** @source docs/interface/learnings.md 2.1 */
export const listLearningUsers: Handler<
  typeof learningRoutes.listLearningUsers,
  Pick<LearningsDeps, "db">
> = async ({ query, principal }, { db }) => {
  const { learning_type, sort_order, page, limit } = query;
  const caller = learningCaller(principal, query);
  refuseForeign(caller, query.user_id);
  const { users, total } = await findUsers(db, {
    owner: caller.seesAll ? query.user_id : caller.user_id,
    learning_type,
    sort_by: query.sort_by === "user_id" ? "user_id" : "changed_at",
    sort_order,
    page,
    limit,
  });
  const data = users.map(({ user_id, changed_at_ms }) => ({
    user_id,
    last_learning_updated_at: Math.floor(changed_at_ms / 1000),
  }));
  return { data, meta: pageMeta(page, limit, total, 0) };
};

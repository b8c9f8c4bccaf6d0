import type { Caller } from "../../shared/auth/caller.ts";
import type { Handler } from "../../shared/http/handler.ts";
import { refuseTooLarge } from "../../shared/http/max-answer-bytes.ts";
import type { learningRoutes } from "../../shared/routes/learnings.ts";
import { pageMeta } from "../../shared/schemas/values/page.ts";
import { listLearnings as findLearnings, wireLearning } from "../../shared/stores/owned/index.ts";
import { learningCaller, refuseForeign } from "./learning-owners.ts";
import type { LearningsDeps } from "./learnings-deps.ts";

/** @source docs/interface/learnings.md 2.1 */
export const listLearnings: Handler<typeof learningRoutes.listLearnings, Pick<LearningsDeps, "db">> = async (
  { query, principal },
  { db },
) => {
  const { user_id, page, limit } = query;
  const caller = learningCaller(principal, query);
  refuseForeign(caller, user_id);
  const { records, total } = await findLearnings(db, { ...query, owners: requestedOwners(caller, user_id) });
  const data = records.map(wireLearning);
  refuseTooLarge(data, "the contents of these learnings");
  return { data, meta: pageMeta(page, limit, total, 0) };
};

/** A caller who is no admin sees learnings without an owner beside its own, unless it asks for its own. */
function requestedOwners(caller: Caller, user_id: string | undefined): (string | null)[] | undefined {
  if (user_id !== undefined) return [user_id];
  return caller.seesAll ? undefined : [caller.user_id, null];
}

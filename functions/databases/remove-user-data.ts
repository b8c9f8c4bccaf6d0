import type { Handler } from "../../shared/http/handler.ts";
import type { databaseRoutes } from "../../shared/routes/databases.ts";
import { noteOwner } from "../../shared/runtime/audit-scope.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { requestUserRemoval, userRemovalWork } from "../../shared/stores/users/index.ts";
import { type UserDataDeps, wireUserData } from "./user-data-deps.ts";

/**
 * Has everything of a user removed. The request only writes that down; the housekeeper removes, so that it does not matter how
 * much there is, and what is lost on the way is found by the sweeper.
 */
export const removeUserData: Handler<typeof databaseRoutes.removeUserData, UserDataDeps> = async (
  { params: { user_id }, principal },
  deps,
) => {
  noteOwner(user_id);
  const { db, clock, log, userRemovals: queue } = deps;
  const removal = await requestUserRemoval(db, user_id, principal.user_id, epochSeconds(clock));
  // Counted first: what is found then is what will be removed.
  const data = await wireUserData(deps, user_id, removal);
  await userRemovalWork.wake({ queue, log }, { removed_user_id: user_id });
  return data;
};

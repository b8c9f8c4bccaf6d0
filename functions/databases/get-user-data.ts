import type { Handler } from "../../shared/http/handler.ts";
import type { databaseRoutes } from "../../shared/routes/databases.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { getUserRemoval } from "../../shared/stores/users/index.ts";
import { type UserDataDeps, wireUserData } from "./user-data-deps.ts";

/** What a removal of everything of a user would remove; it changes nothing. */
export const getUserData: Handler<typeof databaseRoutes.getUserData, UserDataDeps> = async (
  { params: { user_id } },
  deps,
) => wireUserData(deps, user_id, await getUserRemoval(deps.db, user_id, epochSeconds(deps.clock)));

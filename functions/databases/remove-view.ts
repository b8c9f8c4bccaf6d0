import { subjectOf } from "../../shared/auth/caller.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { MigrationDeps } from "../../shared/migrations/connect-migrations.ts";
import type { databaseRoutes } from "../../shared/routes/databases.ts";
import { removeView as dropView } from "../../shared/stores/users/index.ts";

/** Removes a view of the caller; answers the same where there is none. */
export const removeView: Handler<typeof databaseRoutes.removeView, Pick<MigrationDeps, "db">> = async (
  { params: { view_name }, principal },
  { db },
) => {
  await dropView(db, subjectOf(principal), view_name);
  return undefined;
};

import { subjectOf } from "../../shared/auth/caller.ts";
import { ServiceError } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { MigrationDeps } from "../../shared/migrations/connect-migrations.ts";
import type { databaseRoutes } from "../../shared/routes/databases.ts";
import { MOST_VIEWS, saveView as putView } from "../../shared/stores/users/index.ts";

/** Saves a view of the caller, in place of the one with its name. @throws ServiceError CONFLICT where there are too many */
export const saveView: Handler<typeof databaseRoutes.saveView, Pick<MigrationDeps, "db">> = async (
  { body, principal },
  { db },
) => {
  const views = await putView(db, subjectOf(principal), body);
  if (!views) throw new ServiceError("CONFLICT", `you have ${MOST_VIEWS} views already; remove one first`);
  return { data: [...views] };
};

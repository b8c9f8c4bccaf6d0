import { subjectOf } from "../../shared/auth/caller.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { MigrationDeps } from "../../shared/migrations/connect-migrations.ts";
import type { databaseRoutes } from "../../shared/routes/databases.ts";
import { listViews as readViews } from "../../shared/stores/users/index.ts";

/** The views that the caller has saved. */
export const listViews: Handler<typeof databaseRoutes.listViews, Pick<MigrationDeps, "db">> = async (
  { principal },
  { db },
) => ({ data: [...(await readViews(db, subjectOf(principal)))] });

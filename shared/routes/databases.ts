import * as v from "valibot";
import {
  Database,
  MigratedDatabase,
  MigratedDatabases,
  MigrationTarget,
} from "../schemas/databases/database.ts";
import { idOf } from "../schemas/values/path-ids.ts";
import type { RouteTable } from "./route.ts";

const DatabaseParams = v.object({ db_id: idOf("the database") });

/** @source docs/interface/platform.md 1.4; `getDatabase` is ours */
export const databaseRoutes = {
  getDatabase: {
    method: "GET",
    path: "/databases/{db_id}",
    scopes: ["config:read"],
    params: DatabaseParams,
    response: Database,
    summary: "Show which version a database is at, and how its migration stands",
  },
  migrateAllDatabases: {
    method: "POST",
    path: "/databases/all/migrate",
    scopes: ["config:write"],
    query: MigrationTarget,
    body: { json: v.nullish(MigrationTarget) },
    response: MigratedDatabases,
    also: { 202: MigratedDatabases, 207: MigratedDatabases },
    refuses: [400],
    summary: "Migrate every database to a version, the newest one when none is given",
  },
  migrateDatabase: {
    method: "POST",
    path: "/databases/{db_id}/migrate",
    scopes: ["config:write"],
    params: DatabaseParams,
    query: MigrationTarget,
    body: { json: v.nullish(MigrationTarget) },
    response: MigratedDatabase,
    also: { 202: MigratedDatabase },
    refuses: [400],
    summary: "Migrate a database to a version, the newest one when none is given",
    description:
      "200 when it is at that version. 202 when that takes longer than a request: it continues by itself, and GET /databases/{db_id} shows how far it is.",
  },
} as const satisfies RouteTable;

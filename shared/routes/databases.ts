import * as v from "valibot";
import {
  Database,
  MigratedDatabase,
  MigratedDatabases,
  MigrationTarget,
} from "../schemas/databases/database.ts";
import { SavedView, SavedViews } from "../schemas/databases/saved-view.ts";
import { UserData } from "../schemas/databases/user-data.ts";
import { meaning } from "../schemas/values/described-as.ts";
import { idOf } from "../schemas/values/path-ids.ts";
import type { RouteTable } from "./route.ts";

const ViewParams = v.object({ view_name: meaning(v.string(), "Name of the view") });
const UserParams = v.object({ user_id: idOf("the user") });
const DatabaseParams = v.object({ db_id: idOf("the database") });

/** @source docs/interface/platform.md 1.4, 5.1, 6.1; `getDatabase` is ours */
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
  getUserData: {
    method: "GET",
    path: "/users/{user_id}/data",
    scopes: ["platform:admin"],
    params: UserParams,
    response: UserData,
    summary: "Count what is stored of a user, and show how its removal stands",
    description:
      "What a removal would remove now, by kind; nothing is changed. Zero everywhere for a user of whom nothing is stored.",
  },
  removeUserData: {
    method: "DELETE",
    path: "/users/{user_id}/data",
    scopes: ["platform:admin"],
    params: UserParams,
    status: 202,
    response: UserData,
    summary: "Remove everything of a user",
    description:
      "It continues by itself, also after a crash, until nothing is found any more: GET shows how far it is. Asking again while it goes on changes nothing. Records of the audit stay, and so do sums of tokens and cost. What the user goes on to do is removed too while it lasts, so take the user's access away first.",
  },
  listViews: {
    method: "GET",
    path: "/me/views",
    scopes: [],
    response: SavedViews,
    tag: "config",
    summary: "List the views of the console that the caller has saved",
  },
  saveView: {
    method: "POST",
    path: "/me/views",
    scopes: [],
    body: { json: SavedView },
    response: SavedViews,
    refuses: [409],
    tag: "config",
    example: { body: { name: "Failures", to: "/runs?status=ERROR" } },
    summary: "Save a view of the console, in place of the one with its name",
    description: "Each user has views of their own, 50 at most. A credential without a subject has none.",
  },
  removeView: {
    method: "DELETE",
    path: "/me/views/{view_name}",
    scopes: [],
    params: ViewParams,
    status: 204,
    response: null,
    strangers: 204,
    tag: "config",
    summary: "Remove a view of the console",
    description: "Answers the same where the caller has none of this name.",
  },
} as const satisfies RouteTable;

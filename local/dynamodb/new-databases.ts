import { marshall } from "@aws-sdk/util-dynamodb";
import { databases, latestVersionOf } from "../../shared/migrations/databases.ts";
import { tableVariable } from "../../shared/settings/table-env.ts";
import { databaseKey, newDatabase } from "../../shared/stores/databases/without-store.ts";
import type { CloudModel } from "../template/cloud-model.ts";
import type { FunctionModel } from "../template/functions.ts";
import { createTables, putFirstItem } from "./create-tables.ts";

/** Creates the tables that are missing; where all were, their databases are new. */
export async function createTablesOf(
  endpoint: string,
  { tables, functions }: Pick<CloudModel, "tables" | "functions">,
): Promise<void> {
  if (await createTables(endpoint, tables)) await settleNewDatabases(endpoint, functions);
}

/**
 * Records that databases whose tables were just created are of the newest version, before any function runs. On AWS a step of
 * the deployment has the housekeeper do it.
 *
 * @param functions  of the template: their settings name the table
 */
async function settleNewDatabases(endpoint: string, functions: readonly FunctionModel[]): Promise<void> {
  const variable = tableVariable.databases;
  const named = functions.map(({ environment, settings }) => environment[variable] ?? settings[variable]);
  const table = named.find((name) => name !== undefined);
  if (table === undefined) return;
  const now = Math.floor(Date.now() / 1000);
  for (const database of databases) {
    const attributes = newDatabase(database.id, latestVersionOf(database), now);
    await putFirstItem(endpoint, table, marshall({ ...databaseKey(database.id), ...attributes }));
  }
}

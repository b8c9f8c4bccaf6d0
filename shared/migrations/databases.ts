import { DB_ID } from "../domain/databases/database.ts";
import { FIRST_VERSION } from "../domain/databases/plan-migration.ts";
import type { TableName } from "../settings/table-env.ts";
import type { Migration } from "./migration.ts";
import { recordShapes } from "./record-shapes.ts";
import { runPlaces } from "./run-places.ts";
import { wordsOfContents } from "./words-of-contents.ts";

/** A database and its migrations, the oldest first. Their versions rise by one from the first. */
export type MigratableDatabase = { readonly id: string; readonly migrations: readonly Migration[] };

/** Every database of this instance. */
export const databases: readonly MigratableDatabase[] = [
  { id: DB_ID, migrations: [recordShapes, runPlaces, wordsOfContents] },
];

/** The versions that a database can be migrated to, in order. */
export const versionsOf = ({ migrations }: MigratableDatabase): number[] => [
  FIRST_VERSION,
  ...migrations.map(({ version }) => version),
];

export const latestVersionOf = ({ migrations }: MigratableDatabase): number =>
  migrations.at(-1)?.version ?? FIRST_VERSION;

/** The tables whose records its migrations change. */
export const tablesOf = ({ migrations }: MigratableDatabase): TableName[] => [
  ...new Set(migrations.flatMap(({ steps }) => steps.map(({ table }) => table))),
];

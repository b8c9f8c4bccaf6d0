import type { databaseRoutes } from "../../routes/databases.ts";
import type { Database } from "../../schemas/databases/database.ts";
import type { ExamplesOf } from "./example.ts";

const migration = {
  target_version: "2",
  records_read: 1200,
  records_changed: 40,
  started_at: 1772615700,
  updated_at: 1772615760,
};
const database: Database = {
  db_id: "dynamodb",
  version: "2",
  latest_version: "2",
  versions: ["1", "2"],
  migration: { status: "completed", ...migration },
};
const running: Database = {
  ...database,
  version: "1",
  migration: { status: "running", at: "version 2 up, sessions", ...migration },
};

export const databaseExamples: ExamplesOf<typeof databaseRoutes> = {
  getDatabase: { answer: database },
  migrateAllDatabases: {
    body: { target_version: "2" },
    answer: { message: "All databases are at 2", databases: [database] },
    further: {
      202: { message: "The migration goes on", databases: [running] },
      207: {
        message: "Some databases could not be migrated",
        databases: [],
        failed: { dynamodb: "the table sessions does not answer" },
      },
    },
  },
  migrateDatabase: {
    query: { target_version: "2" },
    answer: { message: "The database is at 2", database },
    further: { 202: { message: "The migration goes on", database: running } },
  },
};

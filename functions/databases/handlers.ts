// Generated from the route table by `npm run routes`; do not edit.
export { getDatabase } from "./get-database.ts";
export { migrateAllDatabases } from "./migrate-all-databases.ts";
export { migrateDatabase } from "./migrate-database.ts";

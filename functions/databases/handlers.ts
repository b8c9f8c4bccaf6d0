// Generated from the route table by `npm run routes`; do not edit.
export { getDatabase } from "./get-database.ts";
export { getUserData } from "./get-user-data.ts";
export { listViews } from "./list-views.ts";
export { migrateAllDatabases } from "./migrate-all-databases.ts";
export { migrateDatabase } from "./migrate-database.ts";
export { removeUserData } from "./remove-user-data.ts";
export { removeView } from "./remove-view.ts";
export { saveView } from "./save-view.ts";

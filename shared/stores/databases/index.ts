export { getDatabase, type StoredDatabase } from "./database-item.ts";
export {
  type ClaimedMigration,
  claimedBy,
  endMigration,
  migrationWork,
  recordNewDatabase,
  recordProgress,
  requestMigration,
} from "./migration-work.ts";
export { rewriteRecord, scanSegment } from "./rewrite-record.ts";

export { getDatabase, type StoredDatabase } from "./database-item.ts";
export {
  type ClaimedMigration,
  claimedBy,
  endMigration,
  migrationWork,
  recordProgress,
  requestMigration,
} from "./migration-work.ts";
export { rewriteRecord, scanSegment } from "./rewrite-record.ts";

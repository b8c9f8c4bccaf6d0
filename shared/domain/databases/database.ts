import { notFound, ServiceError } from "../../errors.ts";

/** The one database and the tables that clients are shown. */
export const DB_ID = "main";
export const SESSION_TABLE = "sessions";
export const MEMORY_TABLE = "memories";
export const KNOWLEDGE_TABLE = "knowledge_contents";
export const LEARNING_TABLE = "learnings";
export const EVAL_TABLE = "eval_runs";
export const METRICS_TABLE = "metrics";

/**
 * Checks that a request names the one database there is.
 *
 * @param table  the family's own, where the request may name one
 * @throws ServiceError NOT_FOUND for another one; BAD_REQUEST for a table without its database
 */
export function requireDatabase(
  query: { readonly db_id?: string | undefined; readonly table?: string | undefined },
  table: string,
): void {
  if (query.db_id !== undefined && query.db_id !== DB_ID) throw notFound("database", query.db_id);
  if (query.table === undefined) return;
  if (query.db_id === undefined) {
    throw new ServiceError("BAD_REQUEST", "table needs db_id: name the database that the table is in");
  }
  if (query.table !== table) throw notFound("table", query.table);
}

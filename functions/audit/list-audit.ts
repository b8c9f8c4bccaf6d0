import { DAY_SECONDS } from "../../shared/domain/utc-day.ts";
import { decodeCursor, encodeCursor } from "../../shared/http/cursor.ts";
import type { Handler } from "../../shared/http/handler.ts";
import { jsonLines } from "../../shared/http/json-lines.ts";
import type { auditRoutes } from "../../shared/routes/audit.ts";
import { listAudit as findRecords } from "../../shared/stores/audit/list-audit.ts";
import type { AuditDeps } from "./audit-deps.ts";

/** @source docs/interface/audit.md 2.1 */
export const listAudit: Handler<typeof auditRoutes.listAudit, AuditDeps> = async (
  { query },
  { db, clock },
) => {
  const { limit, cursor, format, created_after, created_before, ...filter } = query;
  const selection = { ...filter, created_after, created_before };
  const before = cursor === undefined ? undefined : decodeCursor(cursor, selection);
  const now = clock.now();
  const [oldest, latest] = [now - db.auditRetentionDays * DAY_SECONDS * 1000, now + 1000];
  const kept = (ms: number): number => Math.min(latest, Math.max(oldest, ms));
  const span = {
    from_ms: kept((created_after ?? 0) * 1000),
    // Bounds are seconds, both inclusive.
    to_ms: kept(created_before === undefined ? latest : (created_before + 1) * 1000),
  };
  const { records, next } = await findRecords(db, filter, span, { limit, before });
  const next_cursor = next === undefined ? null : encodeCursor(next, selection);
  return format === "json" ? { data: records, next_cursor } : jsonLines(records, next_cursor);
};

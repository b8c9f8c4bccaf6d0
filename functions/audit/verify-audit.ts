import { DAY_SECONDS, utcDay } from "../../shared/domain/utc-day.ts";
import { ServiceError } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { auditRoutes } from "../../shared/routes/audit.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { verifyAudit as verify } from "../../shared/stores/audit/verify-audit.ts";
import type { AuditDeps } from "./audit-deps.ts";

/** @throws ServiceError BAD_REQUEST for a day that has not begun, or of which records may be deleted */
export const verifyAudit: Handler<typeof auditRoutes.verifyAudit, AuditDeps> = async (
  { query },
  { db, clock },
) => {
  const now = epochSeconds(clock);
  const today = utcDay(now);
  const first = utcDay(now - (db.auditRetentionDays - 1) * DAY_SECONDS);
  const { day = today } = query;
  if (day > today || day < first)
    throw new ServiceError(
      "BAD_REQUEST",
      `day must be from ${first} to ${today}: records are kept that long`,
    );
  return verify(db, day, clock.now());
};

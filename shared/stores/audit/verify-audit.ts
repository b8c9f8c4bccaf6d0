import { linkTo, type SealLink, verifyDay } from "../../domain/audit/seals.ts";
import { startOfDay, type UtcDay, utcDay } from "../../domain/utc-day.ts";
import type { AuditVerification } from "../../schemas/audit/audit-record.ts";
import { batchGet } from "../batch-get.ts";
import type { Db } from "../db.ts";
import { auditKey, placedRecord } from "./audit-item.ts";
import { recordsWithin } from "./list-audit.ts";
import { chainEnd, getSeal, sealsOf } from "./seal-item.ts";

/** Longest span that a record's place may lie before its time, and a seal after it. */
const DAY_MS = 86_400_000;

/** Reads a day and the seals around it, and checks them. @param nowMs epoch milliseconds */
export async function verifyAudit(db: Db, day: UtcDay, nowMs: number): Promise<AuditVerification> {
  const from_ms = startOfDay(day) * 1000;
  const nextDay = utcDay((from_ms + DAY_MS) / 1000);
  // The records first: whatever is sealed meanwhile is in a seal that is read after it.
  const written = await recordsWithin(db, { from_ms, to_ms: from_ms + DAY_MS });
  const [seals, later, end] = await Promise.all([sealsOf(db, day), sealsOf(db, nextDay), chainEnd(db)]);
  const first = seals[0]?.previous;
  const stored = first && (await getSeal(db, first));
  const before = stored ? linkTo(stored) : first && isCut(db, first, nowMs) ? first : undefined;
  const named = seals.flatMap((seal) => seal.records.map(({ place }) => auditKey(place)));
  const sealed = (await batchGet(db, db.tables.audit, named)).map(placedRecord);
  const sealedLater = new Set(later.flatMap((seal) => seal.records.map(({ place }) => place)));
  return verifyDay(
    { day, seals, before, end: end?.day === day ? end : undefined, sealed, written, sealedLater },
    nowMs,
  );
}

/**
 * Whether retention may have deleted a seal by now: it is kept a day longer than the records that it links, which were written
 * on its day or before.
 */
const isCut = ({ auditRetentionDays }: Db, { day }: SealLink, nowMs: number): boolean =>
  nowMs >= startOfDay(day) * 1000 + auditRetentionDays * DAY_MS;

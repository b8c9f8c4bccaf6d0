import type { PlacedRecord } from "../../domain/audit/seals.ts";
import type { ListedAuditRecord } from "../../schemas/audit/audit-record.ts";
import { type Db, queryPages } from "../db.ts";
import { monthPartition, placedRecord, placeOf } from "./audit-item.ts";

export type AuditFilter = {
  readonly [Name in "principal" | "operation" | "outcome" | "on_behalf_of" | "target"]?: string | undefined;
};

export type AuditSpan = {
  /** Epoch milliseconds, the first included, the last not. */
  readonly from_ms: number;
  readonly to_ms: number;
};

/** Most records that are read for a page: with rare matches a page may have fewer than asked for. */
const MAX_READ = 2_000;

/**
 * Records of a span, the newest first.
 *
 * @param before  place of the last record of the page before
 * @returns       `next` is the place to read on from; undefined at the end
 */
export async function listAudit(
  db: Db,
  filter: AuditFilter,
  { from_ms, to_ms }: AuditSpan,
  { limit, before }: { readonly limit: number; readonly before?: string | undefined },
): Promise<{ records: ListedAuditRecord[]; next: string | undefined }> {
  const records: ListedAuditRecord[] = [];
  if (from_ms >= to_ms) return { records, next: undefined };
  const first = placeOf(from_ms, "");
  const last = before ?? placeOf(to_ms, "");
  let read = 0;
  for (const pk of monthsBack(from_ms, Number(last.slice(0, 13)))) {
    for await (const { Items = [] } of pagesOf(db, pk, first, last, false)) {
      for (const item of Items) {
        const { place, record, seal } = placedRecord(item);
        if (place >= last) continue;
        read += 1;
        if (matches(filter, record)) records.push({ ...record, seal });
        if (records.length >= limit || read >= MAX_READ) return { records, next: place };
      }
    }
  }
  return { records, next: undefined };
}

/** The records whose place is within a span, the oldest first. */
export async function recordsWithin(db: Db, { from_ms, to_ms }: AuditSpan): Promise<PlacedRecord[]> {
  const found: PlacedRecord[] = [];
  const [first, last] = [placeOf(from_ms, ""), placeOf(to_ms, "")];
  for (const pk of monthsBack(from_ms, to_ms - 1).reverse())
    for await (const { Items = [] } of pagesOf(db, pk, first, last, true))
      found.push(...Items.map(placedRecord));
  return found;
}

const pagesOf = (db: Db, pk: string, first: string, last: string, forward: boolean) =>
  queryPages(db, {
    TableName: db.tables.audit,
    KeyConditionExpression: "pk = :pk AND sk BETWEEN :first AND :last",
    ExpressionAttributeValues: { ":pk": pk, ":first": first, ":last": last },
    ScanIndexForward: forward,
    ConsistentRead: true,
  });

const matches = (filter: AuditFilter, record: PlacedRecord["record"]): boolean => {
  const { target, ...equal } = filter;
  const named = new Map<string, unknown>(Object.entries(record));
  return (
    Object.entries(equal).every(([name, value]) => value === undefined || named.get(name) === value) &&
    (target === undefined || Object.values(record.target).includes(target))
  );
};

/** The partitions of a span, the newest first. */
function monthsBack(from_ms: number, to_ms: number): string[] {
  const months: string[] = [];
  const at = new Date(to_ms);
  at.setUTCDate(1);
  at.setUTCHours(23, 59, 59, 999);
  const first = monthPartition(from_ms);
  for (let month = monthPartition(at.getTime()); month >= first; month = monthPartition(at.getTime())) {
    months.push(month);
    at.setUTCMonth(at.getUTCMonth() - 1);
  }
  return months;
}

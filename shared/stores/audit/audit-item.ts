import * as v from "valibot";
import { type Item, isNew, type Put, putItem } from "../../data/index.ts";
import { recordedFacts } from "../../domain/audit/recorded-facts.ts";
import type { PlacedRecord } from "../../domain/audit/seals.ts";
import { DAY_SECONDS } from "../../domain/utc-day.ts";
import { currentActor, noteRecorded } from "../../runtime/audit-scope.ts";
import { systemClock } from "../../runtime/clock.ts";
import { newOrderedId } from "../../runtime/ids.ts";
import { type AuditEntry, AuditRecord } from "../../schemas/audit/audit-record.ts";
import type { Db } from "../db.ts";

/** Version of the stored shape; raised with every change of it. */
export const AUDIT_SHAPE = 1;

/** A record as it is stored. */
export const StoredAuditRecord = v.object({
  ...AuditRecord.entries,
  /** Number of the seal that links it. */
  seal: v.optional(v.number()),
  /** Epoch seconds. */
  expires_at: v.number(),
});

/** Partition of the index `by_due` with the records that no seal links yet. */
export const UNSEALED = "unsealed";

/** Where a record is; places sort by time. */
export const placeOf = (at_ms: number, id: string): string => `${String(at_ms).padStart(13, "0")}#${id}`;

/** @param ms epoch milliseconds */
export const monthPartition = (ms: number): string => `month#${new Date(ms).toISOString().slice(0, 7)}`;

export const auditKey = (place: string) => ({ pk: monthPartition(Number(place.slice(0, 13))), sk: place });

/**
 * The write of a record. It is only ever created: nothing but its seal is added later.
 *
 * @source docs/interface/audit.md 1.4
 */
export function auditPut(db: Pick<Db, "auditRetentionDays">, entry: AuditEntry): Put {
  const { once, before, after, ...given } = entry;
  const { operation: requested, ...actor } = currentActor();
  const at_ms = given.at_ms ?? systemClock.now();
  const window = once && Math.floor(at_ms / once.window_ms);
  const id = once ? `${once.name}-${window}` : newOrderedId();
  const record: AuditRecord = {
    ...actor,
    on_behalf_of: null,
    decision: "allow",
    outcome: "changed",
    status: null,
    ...given,
    id,
    at_ms,
    operation: requested ?? given.operation ?? "platform",
    before: recordedFacts(before),
    after: recordedFacts(after),
  };
  const place = placeOf(once && window !== undefined ? window * once.window_ms : at_ms, id);
  const item = {
    ...auditKey(place),
    ...record,
    due: UNSEALED,
    due_at: place,
    expires_at: Math.floor(at_ms / 1000) + db.auditRetentionDays * DAY_SECONDS,
    shape: AUDIT_SHAPE,
  };
  return putItem("audit", item, isNew);
}

/** The same as part of a transaction that makes the change. */
export function auditedChange(db: Pick<Db, "auditRetentionDays">, entry: AuditEntry): Put {
  noteRecorded();
  return auditPut(db, entry);
}

/** @throws when the item is not a record of a shape that this code reads */
export function placedRecord(item: Item): PlacedRecord & { readonly seal: number | null } {
  const { seal, expires_at, ...record } = v.parse(StoredAuditRecord, item);
  return { place: String(item.sk), record, until: expires_at, seal: seal ?? null };
}

import { createHash } from "node:crypto";
import { transact, updateItem, write } from "../../data/index.ts";
import { sealRecords } from "../../domain/audit/seals.ts";
import type { AuditSeal } from "../../schemas/audit/audit-record.ts";
import { batchGet } from "../batch-get.ts";
import { type Db, queryPages } from "../db.ts";
import type { ObjectStore } from "../objects/connect-objects.ts";
import { auditKey, placedRecord, UNSEALED } from "./audit-item.ts";
import { chainEnd, moveEnd, putSeal, sealFrom, sealKey, UNEXPORTED } from "./seal-item.ts";

/** Records of a seal: with the seal and the end of the chain they fit into one transaction. */
const RECORDS_OF_A_SEAL = 50;
/** Seals of one round; what is left is sealed a minute later. */
const SEALS_OF_A_ROUND = 20;

/**
 * Links what was written since the last round to the chain. Two processes may do so at once: each seal is made by one of
 * them, because the end of the chain is part of its transaction.
 *
 * @param exports  whether seals are exported, see `exportSeals`
 * @param at_ms    epoch milliseconds
 * @returns        the seals that were made
 */
export async function sealAudit(db: Db, exports: boolean, at_ms: number): Promise<AuditSeal[]> {
  const made: AuditSeal[] = [];
  const keys = await dueKeys(db, UNSEALED, RECORDS_OF_A_SEAL * SEALS_OF_A_ROUND);
  for (let from = 0; from < keys.length; from += RECORDS_OF_A_SEAL) {
    const seal = await sealSome(db, keys.slice(from, from + RECORDS_OF_A_SEAL), exports, at_ms);
    if (!seal) break;
    made.push(seal);
  }
  return made;
}

/** @returns undefined where another process was faster */
async function sealSome(
  db: Db,
  keys: readonly DueKey[],
  exports: boolean,
  at_ms: number,
): Promise<AuditSeal | undefined> {
  const [items, end] = await Promise.all([batchGet(db, db.tables.audit, keys), chainEnd(db)]);
  const records = items
    .filter(({ due }) => due === UNSEALED)
    .map(placedRecord)
    .sort((a, b) => (a.place < b.place ? -1 : 1));
  if (records.length === 0) return undefined;
  const seal = sealRecords(records, end, at_ms);
  const { written } = await transact(db, {
    end: moveEnd(seal, end),
    seal: putSeal(seal, exports),
    records: records.map(({ place }) =>
      updateItem("audit", auditKey(place), {
        set: { seal: seal.number, due: undefined, due_at: undefined },
        guard: { due: UNSEALED },
      }),
    ),
  });
  return written ? seal : undefined;
}

/**
 * Writes each seal with its records as an object of lines of JSON, the seal first. It may write one again: the content is
 * the same.
 *
 * @returns how many objects
 */
export async function exportSeals(db: Db, objects: Pick<ObjectStore, "put">): Promise<number> {
  const items = await batchGet(db, db.tables.audit, await dueKeys(db, UNEXPORTED, SEALS_OF_A_ROUND));
  for (const item of items) {
    const seal = sealFrom(item);
    const places = seal.records.map(({ place }) => auditKey(place));
    const stored = await batchGet(db, db.tables.audit, places);
    const records = new Map(stored.map(placedRecord).map(({ place, record }) => [place, record]));
    const lines = [seal, ...seal.records.map(({ place }) => records.get(place) ?? null)];
    const body = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const key = `audit/${seal.day}/${String(seal.number).padStart(8, "0")}.jsonl`;
    await objects.put(key, body, createHash("sha256").update(body).digest("hex"));
    await write(
      db,
      updateItem("audit", sealKey(seal), {
        set: { due: undefined, due_at: undefined },
        guard: { due: UNEXPORTED },
      }),
    );
  }
  return items.length;
}

type DueKey = { readonly pk: unknown; readonly sk: unknown };

/** What waits in a partition of the index, the oldest first; the index lags a moment. */
async function dueKeys(db: Db, due: string, most: number): Promise<DueKey[]> {
  const keys: DueKey[] = [];
  const pages = queryPages(db, {
    TableName: db.tables.audit,
    IndexName: "by_due",
    KeyConditionExpression: "#due = :due",
    ExpressionAttributeNames: { "#due": "due" },
    ExpressionAttributeValues: { ":due": due },
    Limit: most,
  });
  for await (const { Items = [] } of pages) {
    keys.push(...Items.map(({ pk, sk }) => ({ pk, sk })));
    if (keys.length >= most) break;
  }
  return keys.slice(0, most);
}

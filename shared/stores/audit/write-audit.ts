import { write } from "../../data/index.ts";
import type { AuditEntry } from "../../schemas/audit/audit-record.ts";
import type { Db } from "../db.ts";
import { auditPut } from "./audit-item.ts";

/** Records that are written once in a while and that this process has written lately; enough for its busiest callers. */
const MAX_KNOWN = 1_000;

/** Writes records of their own. One of a kind that is written once in a while may be there already. */
export function auditWriter(db: Db): (entry: AuditEntry) => Promise<void> {
  const known = new Set<string>();
  return async (entry) => {
    const put = auditPut(db, entry);
    const place = String(put.item.sk);
    if (known.has(place)) return;
    await write(db, put);
    if (!entry.once) return;
    if (known.size >= MAX_KNOWN) known.clear();
    known.add(place);
  };
}

import { putItem, writeBatch } from "../../data/index.ts";
import type { Span } from "../../schemas/traces/span.ts";
import type { Db } from "../db.ts";
import { placedAmong } from "../index-keys.ts";
import { packJson, sessionObjects, spillBytes } from "../objects/spill.ts";
import { SPANS_SHAPE, type StoredTrace, spansKey, traceItem, type WrittenAt } from "./trace-item.ts";

/** The trace that spans belong to, and when they were written. */
export type SpansAt = WrittenAt & {
  readonly trace_id: string;
  readonly user_id: string | null;
  readonly session_id: string;
  /** Epoch seconds. */
  readonly expires_at: number;
};

/**
 * Writes spans as one item, and their trace if it is given, so that lists show it as it is now: in one request, but not as a
 * transaction, which costs twice as much. Idempotent.
 */
export async function writeSpans(
  db: Db,
  at: SpansAt,
  spans: readonly Span[],
  trace: StoredTrace | undefined,
): Promise<void> {
  const prefix = sessionObjects(at.user_id, at.session_id);
  const packed = await spillBytes(db, prefix, await packJson(spans));
  const item = { ...spansKey(at, at), spans: packed, expires_at: at.expires_at, shape: SPANS_SHAPE };
  const placed = trace && traceItem({ ...trace, ...placedAmong(db.runIndexShards) });
  await writeBatch(db, [putItem("traces", item), ...(placed ? [putItem("traces", placed)] : [])]);
}

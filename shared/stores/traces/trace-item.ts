import * as v from "valibot";
import type { Item } from "../../data/item.ts";
import { Span, SpanStatus } from "../../schemas/traces/span.ts";
import { Spilled } from "../objects/spilled.ts";
import { traceIndexKeys, traceKey } from "./trace-keys.ts";

/** Versions of the stored shapes; raised with every change of them. */
export const TRACE_SHAPE = 1;
export const SPANS_SHAPE = 1;

/** A trace as it is stored: what lists show of it. Its spans are items of their own. */
export const StoredTrace = v.object({
  trace_id: v.string(),
  name: v.string(),
  status: SpanStatus,
  /** All in epoch milliseconds; `created_ms` is when it was first written. */
  start_ms: v.number(),
  end_ms: v.number(),
  created_ms: v.number(),
  total_spans: v.number(),
  error_count: v.number(),
  /** The beginning of the root's input. */
  input: v.optional(v.string()),
  run_id: v.string(),
  session_id: v.string(),
  user_id: v.nullable(v.string()),
  agent_id: v.optional(v.string()),
  team_id: v.optional(v.string()),
  workflow_id: v.optional(v.string()),
  /** Epoch seconds. */
  expires_at: v.number(),
});
export type StoredTrace = v.InferOutput<typeof StoredTrace>;

/** Spans that were written together: packed, or an object if they are many. */
export const StoredSpans = v.object({ spans: Spilled, expires_at: v.number() });
export type StoredSpans = v.InferOutput<typeof StoredSpans>;

export const Spans = v.array(Span);

export function traceItem(trace: StoredTrace): Item {
  return { ...traceKey(trace), ...trace, ...traceIndexKeys(trace), shape: TRACE_SHAPE };
}

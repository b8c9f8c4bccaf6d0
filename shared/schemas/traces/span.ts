import * as v from "valibot";

const spanKinds = ["AGENT", "TEAM", "WORKFLOW", "LLM", "TOOL", "RETRIEVER", "EMBEDDING"] as const;
export type SpanKind = (typeof spanKinds)[number];

export const SpanStatus = v.picklist(["OK", "ERROR", "UNSET"]);
export type SpanStatus = v.InferOutput<typeof SpanStatus>;

/** A span as it is stored: the members of an OpenTelemetry span, in plain JSON. */
export const Span = v.object({
  /** 16 hexadecimal digits; the same for the same piece of work, however often it is started. */
  id: v.string(),
  /** Absent on the root. */
  parent_id: v.optional(v.string()),
  name: v.string(),
  /** Epoch milliseconds. */
  start_ms: v.number(),
  /** Absent until it has ended: its run is suspended or waits for a person. */
  end_ms: v.optional(v.number()),
  /** When it was written last; epoch milliseconds. */
  seen_ms: v.number(),
  status: SpanStatus,
  error: v.optional(v.string()),
  /** By the names of OpenTelemetry's conventions; see `span-attributes.ts`. */
  attributes: v.record(v.string(), v.union([v.string(), v.number(), v.boolean(), v.array(v.string())])),
});
export type Span = v.InferOutput<typeof Span>;

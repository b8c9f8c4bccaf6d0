import type { SpanKind } from "../../schemas/traces/span.ts";
import type { Usage } from "../model/usage.ts";

/** The start of a span. */
export type SpanStart = {
  /** Unique within its parent, and the same when the work is repeated: the new span then replaces the old one. */
  readonly key: string;
  readonly name: string;
  readonly kind: SpanKind;
  readonly input?: string;
  readonly facts?: SpanAttributes;
};

/** Attributes of a span. */
export type SpanAttributes = {
  readonly run_id?: string;
  readonly session_id?: string;
  readonly user_id?: string | null;
  readonly component_id?: string;
  readonly component_name?: string;
  readonly model?: string;
  readonly provider?: string;
  readonly tool_name?: string;
  readonly tool_call_id?: string;
  /** JSON text. */
  readonly parameters?: string;
  /** Type of the step, such as `Parallel`. */
  readonly step_type?: string;
  readonly description?: string;
  readonly steps?: readonly string[];
  readonly step_types?: readonly string[];
};

/** The end of a span; it failed if `error` is set. */
export type SpanEnd = {
  readonly output?: string;
  readonly error?: string;
  readonly error_type?: string;
  readonly usage?: Usage;
  /** How many documents were found. */
  readonly documents?: number;
};

/**
 * A span in progress. One that is never ended shows as unfinished: its run yielded or waits for a person, and the
 * execution that resumes the run starts the span again.
 */
export type TraceSpan = {
  readonly child: (start: SpanStart) => TraceSpan;
  readonly end: (end?: SpanEnd) => void;
};

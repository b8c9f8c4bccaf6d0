import type { SpanKind } from "../../schemas/traces/span.ts";
import type { Usage } from "../model/usage.ts";

/** A piece of work that begins. */
export type SpanStart = {
  /** Names it among what its parent does, the same whenever it is done again: the span is then replaced. */
  readonly key: string;
  readonly name: string;
  readonly kind: SpanKind;
  readonly input?: string;
  readonly facts?: SpanFacts;
};

/** What is known of a piece of work beside its text. */
export type SpanFacts = {
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
  /** What kind of step it is, such as `Parallel`. */
  readonly step_type?: string;
  readonly description?: string;
  readonly steps?: readonly string[];
  readonly step_types?: readonly string[];
};

/** How it ended: with an error where one is given. */
export type SpanEnd = {
  readonly output?: string;
  readonly error?: string;
  readonly error_type?: string;
  readonly usage?: Usage;
  /** How many documents were found. */
  readonly documents?: number;
};

/**
 * A span that is under way. One that is never ended shows as unfinished: its run was put down or waits for a person, and
 * whoever takes it up begins the span once more.
 */
export type TraceSpan = {
  readonly child: (start: SpanStart) => TraceSpan;
  readonly end: (end?: SpanEnd) => void;
};

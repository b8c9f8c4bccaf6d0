import type { Span, SpanKind } from "../../schemas/traces/span.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import type { AnsweredAs } from "../model/streamed-answer.ts";
import type { Usage } from "../model/usage.ts";

/** Opens the traces of runs. */
export type Tracing = {
  /**
   * Opens the trace of a run, or continues it.
   *
   * @param execution.attempt   its attempt
   * @param execution.resumes    whether an earlier execution may have written spans
   * @param execution.unwritten spans that the earlier one had not written, from its checkpoint
   */
  readonly open: (
    run: StoredRun,
    execution: {
      readonly attempt: number;
      readonly resumes: boolean;
      readonly unwritten: readonly Span[];
    },
  ) => Promise<RunTrace>;
};

/** The trace of one execution of a run. Nothing in it ever fails the run. */
export type RunTrace = {
  /** The parent of the run's own span. */
  readonly span: TraceSpan;
  /** Spans not written yet, for the checkpoint: the work of a process that died shows once the run is resumed. */
  readonly unwritten: () => readonly Span[];
  /**
   * Writes what is not written.
   *
   * @param isStopped  whether the run has ended or paused, so that lists are to show its trace as it is now
   */
  readonly write: (isStopped: boolean) => Promise<void>;
  /** Resolves once what was written has been sent elsewhere, or was not taken there in time. */
  readonly sent: () => Promise<void>;
};

/** The start of a span. */
export type SpanStart = {
  /** Unique within its parent, and the same when the work is repeated: the new span then replaces the old one. */
  readonly key: string;
  readonly name: string;
  readonly kind: SpanKind;
  readonly input?: string;
  readonly facts?: SpanAttributes;
  /** What a model is shown beside its messages; asked for only where it is exported. */
  readonly prompt?: () => ShownPrompt;
};

/** What a model is shown beside the messages of a conversation. */
export type ShownPrompt = {
  readonly instructions: readonly string[];
  readonly tools: readonly {
    readonly name: string;
    readonly description: string;
    /** A JSON Schema. */
    readonly parameters: unknown;
  }[];
};

/** Attributes of a span. */
export type SpanAttributes = {
  readonly run_id?: string;
  readonly session_id?: string;
  readonly user_id?: string | null;
  readonly component_id?: string;
  readonly component_name?: string;
  /** Of a stored component. */
  readonly component_version?: number;
  readonly model?: string;
  readonly provider?: string;
  /** Most tokens of the answer, as the component declares them. */
  readonly max_tokens?: number;
  /** As the component declares it. */
  readonly temperature?: number;
  readonly output_type?: "text" | "json";
  readonly streams?: true;
  /** Host of the service that is called, where its address is configured, or of a remote agent. */
  readonly server_address?: string;
  readonly data_source?: string;
  /** Most documents that a search returns. */
  readonly top_k?: number;
  readonly tool_description?: string;
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
  /** What all model calls of a run used, at the end of its own span. */
  readonly run_usage?: Pick<Usage, "input_tokens" | "output_tokens">;
  /** Why the model ended its answer, in the words of OpenTelemetry's conventions. */
  readonly finish_reason?: "stop" | "length" | "content_filter" | "tool_call";
  /** Seconds until the answer began. */
  readonly time_to_first_chunk?: number;
  /** What the service called its answer, and the model that gave it. */
  readonly response?: AnsweredAs;
  /** What kept a model call from reading what the one before had cached. */
  readonly cache_break?: string;
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
  /** Names the span to other systems, by W3C Trace Context; absent on the parent of the run's own span. */
  readonly traceparent?: string;
};

import type { Span } from "../../schemas/traces/span.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import type { TraceSpan } from "./trace-span.ts";

/** What becomes of the spans of runs. */
export type Tracing = {
  /**
   * Opens, or goes on with, the trace of a run.
   *
   * @param taken.attempt   the execution that takes the run up
   * @param taken.goesOn    whether an execution before this one may have written spans
   * @param taken.unwritten spans that it had not written, as a checkpoint kept them
   */
  readonly open: (
    run: StoredRun,
    taken: {
      readonly attempt: number;
      readonly goesOn: boolean;
      readonly unwritten: readonly Span[];
    },
  ) => Promise<RunTrace>;
};

/** The trace of one execution of a run. Nothing in it ever fails the run. */
export type RunTrace = {
  /** What the run's own span is a child of. */
  readonly span: TraceSpan;
  /** Spans that are nowhere yet, for the checkpoint: what a dead process had done shows once it is gone on with. */
  readonly unwritten: () => readonly Span[];
  /**
   * Writes what is not written.
   *
   * @param rests  whether the run has come to rest, and lists are to show its trace as it is now
   */
  readonly write: (rests: boolean) => Promise<void>;
};

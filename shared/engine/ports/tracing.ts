import type { Span } from "../../schemas/traces/span.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import type { TraceSpan } from "./trace-span.ts";

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
};

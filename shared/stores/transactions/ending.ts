import type { JobMove } from "../../domain/jobs/job-transitions.ts";
import type { StateProgress } from "../../domain/sessions/session-state.ts";
import type { StoredOutput } from "../../schemas/runs/stored-output.ts";
import type { StoredApproval } from "../approvals/approval-item.ts";
import type { StoredEval } from "../evals/eval-item.ts";
import type { StoredJob } from "../jobs/job-item.ts";
import type { Fence, JobChange } from "../jobs/move-job.ts";
import type { Large } from "../objects/spill.ts";
import type { PublishedRun } from "../outbox/change-event.ts";
import type { EventSource } from "../runs/event-base.ts";
import type { EventBatch } from "../runs/events.ts";
import type { StoredRun } from "../runs/run-item.ts";
import type { RunAddress } from "../runs/run-keys.ts";
import type { AwaitingJob } from "../runs/run-update.ts";
import type { SessionProgress, StateRead } from "../sessions/session-writes.ts";
import type { InboxEnding } from "./plan-rest.ts";

/** The job's part of an ending. */
export type JobEnding = {
  readonly row: StoredJob;
  readonly move: Exclude<
    JobMove,
    "claim" | "resume" | "heartbeat" | "handOff" | "takeOver" | "postpone" | "requeue" | "continue"
  >;
  readonly fence: Fence;
  /** Further attributes; `error: null` if the ending has none. */
  readonly change: Pick<JobChange, "error" | "available_at">;
  readonly retentionSeconds: number;
};

export type Ending = {
  readonly at: RunAddress;
  readonly attempt: number;
  /** The run's record, whose receivers are notified of its end; undefined where its end is not to be published, or was. */
  readonly publishedRun: PublishedRun | undefined;
  /** The final output; absent when the record already has the end of the run. */
  readonly output: StoredOutput | undefined;
  /** Large fields of the record that `output` lacks, because the run was read without them. */
  readonly keeps?: Large | undefined;
  readonly events: EventBatch | undefined;
  readonly session: SessionProgress | undefined;
  /** What the run has changed in the session's state, and the state that it was read from. */
  readonly state?: StateEnding | undefined;
  /** Absent for foreground runs. */
  readonly job: JobEnding | undefined;
  /** What a paused run waits for. */
  readonly pause?: {
    readonly digests: Readonly<Record<string, string>>;
    readonly approval: StoredApproval | undefined;
    /** Approvals of this pause and of earlier ones. */
    readonly approval_ids: readonly string[];
    /** Where it resumes, for a run whose output does not show that. */
    readonly checkpoint?: Uint8Array;
    /** When it resumes without an answer, epoch seconds. */
    readonly resumes_at?: number | undefined;
  };
  /** Nested runs that have ended. */
  readonly nested?: readonly StoredRun[];
  /** Approvals of a run that was read without its calls. */
  readonly approval_ids?: readonly string[] | undefined;
  /** The completed run whose answer this one replaces. */
  readonly replaces?: RunAddress | undefined;
  /** The messages to the run; undefined for an end after which they stay as they are. */
  readonly inbox?: InboxEnding | undefined;
  /** The evaluation that judges this run. */
  readonly evaluation?: StoredEval | undefined;
};

/** What an execution does to its session's state. */
export type StateEnding = StateProgress & {
  readonly read: StateRead;
  /** The run, for the event that says what it replaces. */
  readonly run: EventSource;
};

/** What an ending that was written leaves to its caller. */
export type Ended = {
  /** The last events as they were written: the given ones, and one more where the run replaced what others wrote. */
  readonly events: EventBatch | undefined;
  /** Jobs that waited for this run's end: each needs a message now. */
  readonly waiting: readonly AwaitingJob[];
};

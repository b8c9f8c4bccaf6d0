import type { FailureCause } from "../../domain/jobs/failure-cause.ts";
import type { PendingState, StateChanges } from "../../domain/sessions/session-state.ts";
import type { OnlineEvaluation } from "../../schemas/evals/online-evaluation.ts";
import type { CountedUsage } from "../../schemas/runs/run.ts";
import type { StoredOutput } from "../../schemas/runs/stored-output.ts";
import type { SessionSummary } from "../../schemas/sessions/session.ts";
import type { StateRead } from "../../stores/sessions/session-writes.ts";
import type { ClosedGate } from "../model/model-gate.ts";
import type { WorkflowState } from "./workflow-state.ts";

/** How one execution ended. `output` is the run to be stored, with the same `status`. */
export type RunOutcome = Ended & {
  /** What the run had used in the state that this execution began with; absent where that is not known. */
  readonly began_with?: CountedUsage;
  /** What its execution has seen of the messages to the run; absent where nothing was executed. */
  readonly inbox?: {
    /** The number up to which nothing has to be looked at again. */
    readonly settled: number;
    /** Ids of the messages that it was given. */
    readonly given: readonly string[];
  };
  /** What the run has changed in its session's state; absent where nothing was executed. */
  readonly session_state?: StateOutcome;
};

/** The session's state as an execution has read it, and what the run has changed since it last wrote something there. */
export type StateOutcome = {
  readonly read: StateRead;
  /** What an earlier execution wrote, which is among `pending` where this one has made it again. */
  readonly repeats: StateChanges | undefined;
  readonly pending: PendingState;
};

type Ended =
  | {
      readonly status: "COMPLETED";
      readonly output: StoredOutput;
      /** The session's summary after this run, when the agent writes summaries. */
      readonly session_summary?: SessionSummary;
      /** How its component has a share of its runs judged. */
      readonly online_evaluation?: OnlineEvaluation;
    }
  | {
      readonly status: "PAUSED";
      readonly output: StoredOutput;
      /** A digest of each waiting call, by its id; see `tool-digest.ts`. */
      readonly digests: Readonly<Record<string, string>>;
      /** For a workflow: the state to resume from, which is not in its output. */
      readonly state?: WorkflowState;
    }
  | {
      readonly status: "CANCELLED";
      readonly output: StoredOutput;
      /** Public; absent for a run that was stopped while it was executed. */
      readonly reason?: string;
    }
  | {
      readonly status: "ERROR";
      readonly output: StoredOutput;
      /** The text that run and job both show. */
      readonly error: string;
      readonly cause: FailureCause;
      /** As `RunError` names it. */
      readonly error_type?: string;
      /** Set where the model call that failed may succeed soon. */
      readonly mayPass?: boolean;
      /** Set where its model was not to be called: when it may be, and why not before. */
      readonly closed?: ClosedGate;
      /** What was thrown, for the log; never shown. */
      readonly thrown?: unknown;
    };

/**
 * Adds to an outcome what the execution does not know: from which run it was forked or regenerated, and the
 * requirements that people answered in earlier executions.
 *
 * @param before  the run before this execution
 */
export function withOrigin(before: StoredOutput, outcome: RunOutcome): RunOutcome {
  const { forked_from_run_id, forked_from_message_index, forked_from_session_id, regenerated_from } = before;
  const requirements = [...(before.requirements ?? []), ...(outcome.output.requirements ?? [])];
  return {
    ...outcome,
    output: {
      ...outcome.output,
      ...(requirements.length > 0 && { requirements }),
      ...(forked_from_run_id !== undefined && { forked_from_run_id }),
      ...(forked_from_message_index !== undefined && { forked_from_message_index }),
      ...(forked_from_session_id !== undefined && { forked_from_session_id }),
      ...(regenerated_from !== undefined && { regenerated_from }),
    },
  };
}

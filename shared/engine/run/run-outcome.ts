import type { FailureCause } from "../../domain/jobs/failure-cause.ts";
import type { StoredOutput } from "../../schemas/runs/stored-output.ts";
import type { SessionSummary } from "../../schemas/sessions/session.ts";
import type { WorkflowState } from "./workflow-state.ts";

/** How one execution ended. `output` is the run as it shall be stored; its `status` agrees with the outcome. */
export type RunOutcome =
  | {
      readonly status: "COMPLETED";
      readonly output: StoredOutput;
      /** What the session amounts to after this run, when the agent sums sessions up. */
      readonly session_summary?: SessionSummary;
    }
  | {
      readonly status: "PAUSED";
      readonly output: StoredOutput;
      /** What each waiting call would do, by its id; see `tool-digest.ts`. */
      readonly digests: Readonly<Record<string, string>>;
      /** Of a workflow: where it goes on, which its output does not tell. */
      readonly state?: WorkflowState;
    }
  | { readonly status: "CANCELLED"; readonly output: StoredOutput }
  | {
      readonly status: "ERROR";
      readonly output: StoredOutput;
      /** The text that run and job both show. */
      readonly error: string;
      readonly cause: FailureCause;
      /** What was thrown, for the log; never shown. */
      readonly thrown?: unknown;
    };

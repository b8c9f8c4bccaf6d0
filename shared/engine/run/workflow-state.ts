import type { RunOutput } from "../../schemas/runs/run.ts";
import type { ErrorRequirement, StepOutput, StepRequirement } from "../../schemas/runs/workflow-run.ts";

/**
 * All that a workflow's run is between two steps, as one plain JSON value. Everything is kept under the path of the
 * step that it belongs to (`drafts/outline`, `retry loop/2/check`), so that whoever takes the run up finds what is
 * done and does the rest, in whatever order the branches got there.
 */
export type WorkflowState = {
  readonly kind: "workflow";
  /** What finished steps gave. A step that is here is never run again. */
  readonly results: Readonly<Record<string, StepOutput>>;
  /** Paths in the order in which their steps finished. */
  readonly finished: readonly string[];
  /** What was decided on the way: branches taken, steps chosen, loops ended, beginnings told. */
  readonly decisions: Readonly<Record<string, unknown>>;
  /** Runs of agents and teams that are under way or wait for a person. */
  readonly nested: Readonly<Record<string, NestedRun>>;
  /** What was asked of people, answered or not. */
  readonly requirements: Readonly<Record<string, StepRequirement>>;
  readonly errors: Readonly<Record<string, ErrorRequirement>>;
  /** Runs of agents and teams that have ended. */
  readonly executor_runs: readonly RunOutput[];
  readonly session_state: Readonly<Record<string, unknown>>;
  readonly started_at_ms: number;
};

/** The run that an agent or a team makes of a step. */
export type NestedRun = {
  readonly run_id: string;
  readonly input: string;
  readonly created_at: number;
  /** Where it was put down, or goes on after people have answered; absent before its first boundary. */
  readonly state?: unknown;
  /** Whether it waits for a person. */
  readonly paused: boolean;
  /** As it came to rest when it paused last, with what each waiting call would do. */
  readonly output?: RunOutput;
  readonly digests?: Readonly<Record<string, string>>;
};

/** The state of a run that has not taken a step yet. @param nowMs epoch milliseconds */
export const newWorkflowState = (
  session_state: Readonly<Record<string, unknown>>,
  nowMs: number,
): WorkflowState => ({
  kind: "workflow",
  results: {},
  finished: [],
  decisions: {},
  nested: {},
  requirements: {},
  errors: {},
  executor_runs: [],
  session_state,
  started_at_ms: nowMs,
});

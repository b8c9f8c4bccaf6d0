import type { RunOutput } from "../../schemas/runs/run.ts";
import type { ErrorRequirement, StepOutput, StepRequirement } from "../../schemas/runs/workflow-run.ts";

/**
 * The whole state of a workflow's run between two steps, as one plain JSON value. Entries are stored under the path of
 * their step (`drafts/outline`, `retry loop/2/check`), so that a resumed run finds what is done and does the rest, in
 * whatever order the branches finished.
 */
export type WorkflowState = {
  readonly kind: "workflow";
  /** Results of finished steps. A step with a result never runs again. */
  readonly results: Readonly<Record<string, StepOutput>>;
  /** Paths in the order in which their steps finished. */
  readonly finished: readonly string[];
  /** Decisions so far: branches taken, steps chosen, loops ended, starts emitted. */
  readonly decisions: Readonly<Record<string, unknown>>;
  /** Runs of agents and teams that are in progress or wait for a person. */
  readonly nested: Readonly<Record<string, NestedRun>>;
  /** Questions to people, answered or not. */
  readonly requirements: Readonly<Record<string, StepRequirement>>;
  readonly errors: Readonly<Record<string, ErrorRequirement>>;
  /** Runs of agents and teams that have ended. */
  readonly executor_runs: readonly RunOutput[];
  readonly started_at_ms: number;
};

/** The run of a step's agent or team. */
export type NestedRun = {
  readonly run_id: string;
  readonly input: string;
  readonly created_at: number;
  /** The state to resume from, after it yielded or people have answered; absent before its first checkpoint. */
  readonly state?: unknown;
  /** Whether it waits for a person. */
  readonly paused: boolean;
  /** Its output when it last paused, with the digests of its waiting calls. */
  readonly output?: RunOutput;
  readonly digests?: Readonly<Record<string, string>>;
};

/** The state of a run that has not taken a step yet. @param nowMs epoch milliseconds */
export const newWorkflowState = (nowMs: number): WorkflowState => ({
  kind: "workflow",
  results: {},
  finished: [],
  decisions: {},
  nested: {},
  requirements: {},
  errors: {},
  executor_runs: [],
  started_at_ms: nowMs,
});

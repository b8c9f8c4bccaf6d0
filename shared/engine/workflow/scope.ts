import type { FailureCause } from "../../domain/jobs/failure-cause.ts";
import { type Clock, epochSeconds } from "../../runtime/clock.ts";
import type { RunOutput } from "../../schemas/runs/run.ts";
import type { RunEvent } from "../../schemas/runs/run-event.ts";
import type { WorkflowEvent, WorkflowEventBody } from "../../schemas/runs/workflow-event.ts";
import type { StepOutput } from "../../schemas/runs/workflow-run.ts";
import type { Agent } from "../define/agent.ts";
import type { Team } from "../define/team.ts";
import type { Workflow, WorkflowStep } from "../define/workflow.ts";
import type { EnginePorts } from "../ports/engine-ports.ts";
import type { SessionState } from "../ports/session-state.ts";
import type { TraceSpan } from "../ports/tracing.ts";
import type { RunRequest } from "../run/run-request.ts";
import type { NestedRun, WorkflowState } from "../run/workflow-state.ts";
import type { Progress, StateWriter } from "./progress.ts";

/** The outcome of one execution of the run of a step's agent or team. */
export type NestedOutcome =
  | { readonly status: "COMPLETED" | "CANCELLED"; readonly output: RunOutput }
  | {
      readonly status: "ERROR";
      readonly output: RunOutput;
      readonly error: string;
      readonly cause: FailureCause;
      readonly mayPass: boolean;
    }
  | {
      readonly status: "PAUSED";
      readonly output: RunOutput;
      /** The digest of each waiting call, by its id; see `tool-digest.ts`. */
      readonly digests: Readonly<Record<string, string>>;
    }
  | { readonly status: "YIELDED"; readonly state: unknown };

export type NestedTask = {
  readonly executor: Agent | Team;
  readonly run: NestedRun;
  /** Whether a person has answered what the run waited for. */
  readonly continues: boolean;
  /** The step that the run belongs to, as its events name it. */
  readonly within: NonNullable<RunRequest["nested"]>;
  readonly sessionState: SessionState;
  /** How many earlier runs of the workflow it is shown. */
  readonly history_runs: number;
  /** Gets every event of the run. */
  readonly emit: (event: RunEvent) => void;
  /** Saves the run's state before a step of it that costs or does something. */
  readonly saveCheckpoint: (state: unknown) => Promise<void>;
  /** The step's span, the parent of the run's. */
  readonly span?: TraceSpan;
};

/** The ports of a workflow's execution. */
export type WorkflowPorts = {
  readonly clock: Clock;
  readonly newId: () => string;
  /** Stores a file that a step makes; absent where nothing outlives the process. */
  readonly saveObject?: NonNullable<EnginePorts["saveObject"]>;
  readonly emit: (event: WorkflowEvent | RunEvent) => void;
  /** Abort with a `RunStopped` reason stops the run at its next await. */
  readonly signal: AbortSignal;
  /** See `SlicePorts`. */
  readonly sessionState?: SessionState;
  readonly beforeStep?: EnginePorts["beforeStep"];
  readonly warn?: EnginePorts["warn"];
  /** Called after every step; true makes the run yield there. */
  readonly shouldYield?: () => boolean;
  /** Saves the state before a step that costs or does something; absent where nothing outlives the process. */
  readonly saveCheckpoint?: (state: WorkflowState) => Promise<void>;
  /** Executes the run of an agent or a team, from its beginning or from where it yielded or paused. */
  readonly execute: (task: NestedTask) => Promise<NestedOutcome>;
  /** The parent of its steps' spans; absent where nothing is traced. */
  readonly span?: TraceSpan;
};

/** What every step of one execution shares. A nested workflow has a scope of its own. */
export type Scope = {
  readonly ports: WorkflowPorts;
  readonly progress: Progress;
  /** Shared by all steps, and by the runs of their agents and teams. */
  readonly sessionState: SessionState;
  /** The workflow's input. */
  readonly input: unknown;
  readonly emit: (body: WorkflowEventBody, ids?: { step_id?: string; parent_step_id?: string }) => void;
  readonly depth: number;
  readonly session_id: string;
  /** The workflow that the steps belong to, and its run. */
  readonly workflow_id: string;
  readonly run_id: string;
  /** How many earlier runs of the workflow its steps are shown, where one asks for it, and whether all of them do. */
  readonly history: { readonly runs: number; readonly forAll: boolean };
  readonly state: StateWriter;
  /** Run the steps below a step. They are part of the scope so that step types need not import each other. */
  readonly runSteps: RunSteps;
  readonly runAny: RunAny;
};

/**
 * Runs steps one after the other, each on the output of the one before.
 *
 * @param path   of their parent step; empty at the top
 * @param previous  input of the first
 */
export type RunSteps = (
  steps: readonly WorkflowStep[],
  path: string,
  previous: unknown,
  scope: Scope,
) => Promise<StepsResult>;

/** Runs one step, whatever its type. */
export type RunAny = (
  step: WorkflowStep,
  place: Place,
  previous: unknown,
  scope: Scope,
) => Promise<StepsResult>;

/** The place of a step: its path of names, and its index among its siblings. */
export type Place = { readonly path: string; readonly name: string; readonly index: number };

/** The result of running a step, or a list of steps. */
export type StepsResult =
  | {
      readonly done: true;
      /** Outputs of the steps in it, in order. */
      readonly outputs: readonly StepOutput[];
      /** Input of the next step. */
      readonly content: unknown;
      /** Whether the workflow ends here, successfully. */
      readonly stop: boolean;
      /** By what a step failed whose failure is skipped, as in `StepFailed`. */
      readonly error_type?: string;
    }
  /** A person must be asked first, or the execution yields or was stopped. */
  | { readonly done: false };

export const unfinished: StepsResult = { done: false };

/** A skipped step: its input is the input of the next one. */
export const skippedStep = (content: unknown): StepsResult => ({
  done: true,
  outputs: [],
  content,
  stop: false,
});

/** Whether steps were executed and none of them succeeded: then there is no content of theirs. */
export const haveFailed = (outputs: readonly StepOutput[]): boolean =>
  outputs.length > 0 && outputs.every(({ success }) => !success);

/** Whether no further step may begin in this execution. */
export function isHalted({ ports, progress }: Scope): boolean {
  const halted = ports.signal.aborted || (progress.hasAdvanced() && ports.shouldYield?.() === true);
  if (halted) progress.halt("yielded");
  return halted;
}

/** Ends this execution of a step until a person has answered. */
export function waitForPerson({ progress }: Scope): StepsResult {
  progress.halt("waiting");
  return unfinished;
}

export const below = (path: string, name: string): string => (path === "" ? name : `${path}/${name}`);

/** The kind of what a step's function threw. */
export const errorTypeOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.name : "Error");

/** Why a run fails where a function of its workflow does. */
export const OF_FUNCTIONS: FailureCause = "tools";

/** Ends the workflow because a step failed. */
export class StepFailed extends Error {
  override readonly name = "StepFailed";
  readonly error_type: string;
  /** Of the workflow's run. */
  readonly failed_by: FailureCause;

  /**
   * @param error_type  by what it failed, as the step's span says: the cause of a run, the class of what a function threw
   * @param failed_by   the cause of the step's run; a function has none
   */
  constructor(message: string, error_type: string, failed_by: FailureCause = OF_FUNCTIONS) {
    super(message);
    this.error_type = error_type;
    this.failed_by = failed_by;
  }
}

/** Ends the workflow because a person refused a step. */
export class StepRefused extends Error {
  override readonly name = "StepRefused";
}

/** The ids that a workflow's events carry, and how they are emitted. */
export function scopeOf(
  { id, name, add_workflow_history_to_steps, num_history_runs }: Workflow,
  { run_id, session_id }: { readonly run_id: string; readonly session_id: string },
  depth: number,
  { clock, emit }: Pick<WorkflowPorts, "clock" | "emit">,
): Pick<Scope, "emit" | "depth" | "session_id" | "workflow_id" | "run_id" | "history"> {
  const base = { workflow_id: id, workflow_name: name, run_id, session_id, nested_depth: depth };
  return {
    depth,
    session_id,
    run_id,
    workflow_id: id,
    history: { runs: num_history_runs, forAll: add_workflow_history_to_steps },
    emit: ({ event, ...fields }, stepIds = {}) =>
      // The compiler does not follow a union through rest and spread; the fields are those of the body.
      emit({ created_at: epochSeconds(clock), event, ...base, ...stepIds, ...fields } as WorkflowEvent),
  };
}

import type { Clock } from "../../runtime/clock.ts";
import type { RunOutput } from "../../schemas/runs/run.ts";
import type { RunEvent } from "../../schemas/runs/run-event.ts";
import type { WorkflowEvent, WorkflowEventBody } from "../../schemas/runs/workflow-event.ts";
import type { StepOutput } from "../../schemas/runs/workflow-run.ts";
import type { Agent } from "../define/agent.ts";
import type { Team } from "../define/team.ts";
import type { WorkflowStep } from "../define/workflow.ts";
import type { EnginePorts } from "../ports/engine-ports.ts";
import type { TraceSpan } from "../ports/trace-span.ts";
import type { RunRequest } from "../run/run-request.ts";
import type { NestedRun, WorkflowState } from "../run/workflow-state.ts";
import type { Progress } from "./progress.ts";
import type { StateWriter } from "./state-writer.ts";

/** How far the run of a step's agent or team came. */
export type NestedOutcome =
  | { readonly status: "COMPLETED" | "CANCELLED"; readonly output: RunOutput }
  | { readonly status: "ERROR"; readonly output: RunOutput; readonly error: string }
  | {
      readonly status: "PAUSED";
      readonly output: RunOutput;
      /** What each waiting call would do, by its id; see `tool-digest.ts`. */
      readonly digests: Readonly<Record<string, string>>;
    }
  | { readonly status: "YIELDED"; readonly state: unknown };

export type NestedTask = {
  readonly executor: Agent | Team;
  readonly run: NestedRun;
  /** Whether a person has answered what the run waited for. */
  readonly continues: boolean;
  /** The step that it is the run of, as its events name it. */
  readonly within: NonNullable<RunRequest["nested"]>;
  readonly session_state: Readonly<Record<string, unknown>>;
  /** Gets every event of the run. */
  readonly emit: (event: RunEvent) => void;
  /** Keeps the run where it stands, before a step of it that costs or does something. */
  readonly saveCheckpoint: (state: unknown) => Promise<void>;
  /** The step's, which the run is part of. */
  readonly span?: TraceSpan;
};

/** What the engine of workflows needs from outside. */
export type WorkflowPorts = {
  readonly clock: Clock;
  readonly newId: () => string;
  /** Keeps a file that a step makes; absent where nothing outlives the process. */
  readonly saveObject?: NonNullable<EnginePorts["saveObject"]>;
  readonly emit: (event: WorkflowEvent | RunEvent) => void;
  /** Abort with a `RunStopped` reason stops the run at its next await. */
  readonly signal: AbortSignal;
  readonly beforeStep?: EnginePorts["beforeStep"];
  readonly warn?: EnginePorts["warn"];
  /** Asked after every step; true puts the run down there. */
  readonly shouldYield?: () => boolean;
  /** Keeps the state before a step that costs or does something; absent where nothing outlives the process. */
  readonly saveCheckpoint?: (state: WorkflowState) => Promise<void>;
  /** Executes the run of an agent or a team, from its beginning or from where it was put down. */
  readonly execute: (task: NestedTask) => Promise<NestedOutcome>;
  /** What the spans of its steps are children of; absent where nothing is traced. */
  readonly span?: TraceSpan;
};

/** What every step of one execution shares. A nested workflow has a scope of its own. */
export type Scope = {
  readonly ports: WorkflowPorts;
  readonly progress: Progress;
  /** What the workflow was asked. */
  readonly input: unknown;
  readonly emit: (body: WorkflowEventBody, ids?: { step_id?: string; parent_step_id?: string }) => void;
  readonly depth: number;
  readonly session_id: string;
  /** The workflow that the steps belong to, and its run. */
  readonly workflow_id: string;
  readonly run_id: string;
  readonly state: StateWriter;
  /** Run the steps below a step: the walk that this execution is made of, so that steps nest as deep as they are declared. */
  readonly runSteps: RunSteps;
  readonly runAny: RunAny;
};

/**
 * Runs steps one after the other, each on what the one before gave.
 *
 * @param path   of the step that they stand below; empty at the top
 * @param given  what the first is given
 */
export type RunSteps = (
  steps: readonly WorkflowStep[],
  path: string,
  given: unknown,
  scope: Scope,
) => Promise<StepsResult>;

/** Runs one step, whatever its type. */
export type RunAny = (step: WorkflowStep, place: Place, given: unknown, scope: Scope) => Promise<StepsResult>;

/** Where a step stands: its path of names, and its place among its neighbours. */
export type Place = { readonly path: string; readonly name: string; readonly index: number };

/** What running a step, or a list of steps, came to. */
export type StepsResult =
  | {
      readonly done: true;
      /** What the steps in it gave, in order. */
      readonly outputs: readonly StepOutput[];
      /** What the step after it is given. */
      readonly content: unknown;
      /** Whether the workflow ends here, well. */
      readonly stop: boolean;
    }
  /** Somebody must be asked first, or the execution is being put down or stopped. */
  | { readonly done: false };

export const unfinished: StepsResult = { done: false };

/** A step that was passed over: the next one is given what it was given. */
export const skippedStep = (content: unknown): StepsResult => ({
  done: true,
  outputs: [],
  content,
  stop: false,
});

/** Whether no further step may begin in this execution. */
export function isHalted({ ports, progress }: Scope): boolean {
  const halted = ports.signal.aborted || (progress.hasMoved() && ports.shouldYield?.() === true);
  if (halted) progress.note("is put down");
  return halted;
}

/** Ends this execution of a step until a person has answered. */
export function waitForPerson({ progress }: Scope): StepsResult {
  progress.note("waits for a person");
  return unfinished;
}

export const below = (path: string, name: string): string => (path === "" ? name : `${path}/${name}`);

/** A workflow that a step's failure ends. */
export class StepFailed extends Error {
  override readonly name = "StepFailed";
}

/** A workflow that a person's refusal ends. */
export class StepRefused extends Error {
  override readonly name = "StepRefused";
}

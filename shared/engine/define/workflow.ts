import type * as v from "valibot";
import type { GivenMedium } from "../model/given-medium.ts";
import { noteDeclaration } from "../tool/note-declaration.ts";
import { type Agent, type DeclarationOf, type OwnInputs, withSchemas } from "./agent.ts";
import type { DeclaredCallback } from "./declared-callback.ts";
import type { Team } from "./team.ts";

/** A step's result as later steps see it. */
export type StepResult = {
  readonly step_name: string;
  readonly content: unknown;
  readonly success: boolean;
};

/** What a step can read of its workflow. All values in it are plain JSON. */
export type StepInput = {
  /** The workflow's input. */
  readonly input: unknown;
  /** Content of the previous step; for the first step the workflow's input. */
  readonly previous: unknown;
  /** Every result so far, by the step's name. */
  readonly results: Readonly<Record<string, StepResult>>;
  readonly session_state: Readonly<Record<string, unknown>>;
  /** People's answers to this step's questions. */
  readonly user_input?: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
};

/** The result of a step's function when it is more than the content. */
export type StepAnswer = {
  readonly content?: unknown;
  /** Files beside it; see `saveMedia` for the limits. */
  readonly media?: readonly GivenMedium[];
  /** Ends the workflow successfully after this step. */
  readonly stop?: boolean;
  /** Replaces these keys of the session's state. */
  readonly session_state?: Readonly<Record<string, unknown>>;
};
/** Returns the step's content, text or JSON; or a `stepAnswer`. */
export type StepFunction = (input: StepInput) => unknown;

const answers = new WeakSet<object>();

/** Marks a result that has more than content. */
export function stepAnswer(answer: StepAnswer): StepAnswer {
  answers.add(answer);
  return answer;
}

/** A function's result in its full form. */
export const stepAnswerOf = (result: unknown): StepAnswer =>
  typeof result === "object" && result !== null && answers.has(result) ? result : { content: result };

export type UserInputField = {
  readonly name: string;
  readonly field_type: "str" | "int" | "float" | "bool" | "list" | "dict";
  readonly description?: string;
  readonly required?: boolean;
  readonly allowed_values?: readonly unknown[];
};

/** When a person is asked: before a step runs, or about its output. @source docs/interface/runs.md 4.9 */
export type StepReview = {
  readonly requires_confirmation?: boolean;
  readonly confirmation_message?: string;
  readonly requires_user_input?: boolean;
  readonly user_input_message?: string;
  readonly user_input_schema?: readonly UserInputField[];
  readonly requires_output_review?: boolean;
  readonly output_review_message?: string;
  /** What a refusal does; `skip` when absent. */
  readonly on_reject?: "skip" | "cancel" | "else" | "retry";
  /** How often the step is run again, at most, after its output was refused. */
  readonly max_retries?: number;
  readonly timeout_seconds?: number;
  readonly on_timeout?: "cancel" | "skip" | "approve";
};

type Named = { readonly name: string; readonly description?: string };

/** One node of a workflow. */
export type WorkflowStep = Named &
  (
    | {
        readonly type: "Step";
        readonly executor: Agent | Team | StepFunction;
        /**
         * What a failure does when it is not tried again. `fail`, also when absent: the run ends as ERROR. `skip`: the run
         * continues with the input of this step, and its result holds the error; where no step succeeds, the run is ERROR.
         */
        readonly on_error?: "skip" | "fail" | "pause";
        /**
         * How often the step is executed again after a failure. When absent: 3 times where its agent's or team's model failed and
         * nothing was called yet, else not.
         */
        readonly max_retries?: number;
        readonly review?: StepReview;
        /** Whether it is shown earlier runs of the workflow, and how many; as the workflow says when absent. */
        readonly add_workflow_history?: boolean;
        readonly num_history_runs?: number;
      }
    | { readonly type: "Steps"; readonly steps: readonly WorkflowStep[]; readonly review?: StepReview }
    | { readonly type: "Parallel"; readonly steps: readonly WorkflowStep[] }
    | {
        readonly type: "Condition";
        readonly evaluate: (input: StepInput) => boolean | Promise<boolean>;
        readonly steps: readonly WorkflowStep[];
        readonly else_steps?: readonly WorkflowStep[];
        readonly review?: StepReview;
      }
    | {
        readonly type: "Loop";
        readonly steps: readonly WorkflowStep[];
        readonly max_iterations: number;
        /** Whether an iteration begins with the output of the one before; true when absent. Else with the loop's input. */
        readonly forward_iteration_output?: boolean;
        /** Called after every iteration; true ends the loop. */
        readonly end_condition?: (results: readonly StepResult[]) => boolean | Promise<boolean>;
        readonly review?: StepReview;
      }
    | {
        readonly type: "Router";
        readonly choices: readonly WorkflowStep[];
        /** Returns the names of the chosen steps; when absent, a person chooses. */
        readonly selector?: (
          input: StepInput,
        ) => string | readonly string[] | Promise<string | readonly string[]>;
        readonly user_input_message?: string;
        readonly allow_multiple_selections?: boolean;
      }
    | { readonly type: "Workflow"; readonly workflow: Workflow }
  );

/** The steps of one type. */
export type StepOf<T extends WorkflowStep["type"]> = Extract<WorkflowStep, { type: T }>;

/** A workflow as `registry/` declares it. */
export type Workflow = OwnInputs & {
  readonly kind: "workflow";
  readonly id: string;
  /** The version of a stored component. */
  readonly version?: number;
  /** As an agent's: what has changed so that a run which has begun could not go on with it. */
  readonly revision?: string | number;
  /** Who is notified when its background runs end, unless their request names a receiver. */
  readonly callback?: DeclaredCallback;
  readonly name: string;
  readonly description?: string;
  readonly steps: readonly WorkflowStep[];
  /** The input must be JSON of this shape. */
  readonly input_schema?: v.GenericSchema;
  /** Whether the agents and teams of its steps are shown earlier runs of the workflow in the session, and how many. */
  readonly add_workflow_history_to_steps: boolean;
  readonly num_history_runs: number;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly quick_prompts: readonly string[];
};

/** @source docs/interface/runs.md 2.2 */
const workflowDefaults = {
  quick_prompts: [],
  add_workflow_history_to_steps: false,
  num_history_runs: 3,
} as const satisfies Partial<Workflow>;

type WorkflowDeclaration = Pick<Workflow, "id" | "name" | "steps"> & DeclarationOf<Workflow>;

/**
 * Declares a workflow.
 *
 * @throws when two steps of one list have the same name: after a pause a step is found by its path of names
 */
export function defineWorkflow(declared: WorkflowDeclaration): Workflow {
  refuseSameNames(declared.id, declared.steps);
  return noteDeclaration({
    kind: "workflow",
    ...workflowDefaults,
    ...withSchemas(`the workflow ${declared.id}`, declared),
  });
}

function refuseSameNames(at: string, steps: readonly WorkflowStep[]): void {
  const names = steps.map(({ name }) => name);
  const duplicate = names.find((name, i) => names.indexOf(name) !== i);
  if (duplicate !== undefined) throw new Error(`${at} has two steps named ${duplicate}`);
  for (const step of steps)
    for (const below of stepsBelow(step)) refuseSameNames(`${at}/${step.name}`, below);
}

/** The lists of steps within a step. A nested workflow has checked its own. */
export function stepsBelow(step: WorkflowStep): readonly (readonly WorkflowStep[])[] {
  switch (step.type) {
    case "Steps":
    case "Parallel":
    case "Loop":
      return [step.steps];
    case "Condition":
      return [step.steps, step.else_steps ?? []];
    case "Router":
      return [step.choices];
    case "Step":
    case "Workflow":
      return [];
  }
}

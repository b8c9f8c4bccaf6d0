import type { GivenMedium } from "../model/given-medium.ts";
import type { Agent } from "./agent.ts";
import type { Team } from "./team.ts";

/** What a step was given, and what it gave, as the steps after it see it. */
export type StepResult = {
  readonly step_name: string;
  readonly content: unknown;
  readonly success: boolean;
};

/** What a step may read of its workflow. Everything in it is plain JSON. */
export type StepInput = {
  /** What the workflow was asked. */
  readonly input: unknown;
  /** Content of the step before; the workflow's input for the first one. */
  readonly previous: unknown;
  /** Every result so far, by the step's name. */
  readonly results: Readonly<Record<string, StepResult>>;
  readonly session_state: Readonly<Record<string, unknown>>;
  /** What people answered this step's questions with. */
  readonly user_input?: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
};

/** What a step's function may give where its content is not all. */
export type StepAnswer = {
  readonly content?: unknown;
  /** Files beside it; see `saveMedia` for how much a workflow keeps. */
  readonly media?: readonly GivenMedium[];
  /** Ends the workflow after this step, well. */
  readonly stop?: boolean;
  /** Replaces these keys of the session's state. */
  readonly session_state?: Readonly<Record<string, unknown>>;
};
/** Gives the step's content, text or JSON; or a `stepAnswer`. */
export type StepFunction = (input: StepInput) => unknown;

const answers = new WeakSet<object>();

/** Marks an answer that says more than its content. */
export function stepAnswer(answer: StepAnswer): StepAnswer {
  answers.add(answer);
  return answer;
}

/** What a function gave, in full. */
export const answerOf = (given: unknown): StepAnswer =>
  typeof given === "object" && given !== null && answers.has(given) ? given : { content: given };

export type UserInputField = {
  readonly name: string;
  readonly field_type: "str" | "int" | "float" | "bool" | "list" | "dict";
  readonly description?: string;
  readonly required?: boolean;
  readonly allowed_values?: readonly unknown[];
};

/** Where a person is asked: before a step runs, or about what it gave. @source contract, runs-and-queue 4.9 */
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
  /** Most times that a refused output is made again. */
  readonly max_retries?: number;
  readonly timeout_seconds?: number;
  readonly on_timeout?: "cancel" | "skip" | "approve";
};

type Named = { readonly name: string; readonly description?: string };

/** One node of a workflow. @source contract, runs-and-queue 2.4 */
export type WorkflowStep = Named &
  (
    | {
        readonly type: "Step";
        readonly executor: Agent | Team | StepFunction;
        /** What a failure does; `skip` when absent: the run goes on, and the result says what went wrong. */
        readonly on_error?: "skip" | "fail" | "pause";
        readonly max_retries?: number;
        readonly review?: StepReview;
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
        /** Asked after every iteration; true ends the loop. */
        readonly end_condition?: (results: readonly StepResult[]) => boolean | Promise<boolean>;
        readonly review?: StepReview;
      }
    | {
        readonly type: "Router";
        readonly choices: readonly WorkflowStep[];
        /** Names of the chosen steps; a person is asked when absent. */
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
export type Workflow = {
  readonly kind: "workflow";
  readonly id: string;
  /** Of a stored component: which of its versions this is. */
  readonly version?: number;
  readonly name: string;
  readonly description?: string;
  readonly steps: readonly WorkflowStep[];
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly quick_prompts: readonly string[];
};

type WorkflowDeclaration = Pick<Workflow, "id" | "name" | "steps"> & Partial<Omit<Workflow, "kind">>;

/**
 * Declares a workflow.
 *
 * @throws when two steps beside each other have one name: a step is found by its path of names after a pause
 */
export function defineWorkflow(declared: WorkflowDeclaration): Workflow {
  refuseSameNames(declared.id, declared.steps);
  return { kind: "workflow", quick_prompts: [], ...declared };
}

function refuseSameNames(at: string, steps: readonly WorkflowStep[]): void {
  const names = steps.map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new Error(`${at} has two steps named ${twice}`);
  for (const step of steps)
    for (const below of stepsBelow(step)) refuseSameNames(`${at}/${step.name}`, below);
}

/** The lists of steps within a step. A nested workflow has looked after its own. */
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

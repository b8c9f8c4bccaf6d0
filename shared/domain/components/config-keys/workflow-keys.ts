import { type ConfigKeys, ignored, refused, works } from "./config-key.ts";

const byRequest = "the request decides";
const cel = {
  values: ["cel"],
  because: "expressions are not executed; name a function that code registers",
} as const;
const registeredFunction = { ...works("`function`: one that code registers"), refuses: cel };
/** To leave out a question to a person would execute what a person wants to see first. */
const askAround = "put the step into one of the type Steps, and ask there";
const askPerStep = "ask at the steps in it";

/** @source docs/interface/components.md 5.1 */
export const workflowKeys: ConfigKeys = {
  id: works("the id of the component takes precedence"),
  name: works(),
  description: works(),
  metadata: works(),
  steps: works(),
  input_schema: works("a JSON Schema, or the name of a registered one"),
  dependencies: works("passed on to all steps; those of a request replace them by name"),
  session_state: works("what a session begins with; its own keys stay"),
  state: works("ours: how keys of the state are merged that several runs change; `add` or `append`"),
  add_workflow_history_to_steps: works("for the agents and teams of its steps"),
  num_history_runs: works(),
  callback: works("ours: who is notified when its background runs end; takes the scope webhooks:everybody"),
  db: works("everything is in the one database; only the id is stored"),
  overwrite_db_session_state: ignored("the session's own state stays", [false]),
  add_dependencies_to_context: ignored("set it at the agents of the steps", [false]),
  add_session_state_to_context: ignored("set it at the agents of the steps", [false]),
  stream: ignored(byRequest, "any"),
  stream_events: ignored(byRequest, "any"),
  stream_executor_events: ignored("events of the steps' runs are streamed", [true]),
  store_events: ignored("events are stored as long as their run", [true, false]),
  store_media: ignored("files are stored with their session", [true]),
  store_executor_outputs: ignored("the steps' runs are stored", [true]),
  user_id: ignored("a run has the user of its request"),
  session_id: ignored("a run has the session of its request"),
  debug_mode: ignored("the platform's own settings decide", [false]),
  telemetry: ignored("nothing is sent to anybody", "any"),
};

const named: ConfigKeys = { type: works(), name: works(), description: works() };

/** Keys of steps by their `type`. @source docs/interface/components.md 5.1 */
export const stepKeys = {
  Step: {
    ...named,
    step_id: works("the name of its link"),
    agent_id: works(),
    team_id: works(),
    workflow_id: works(
      "a nested workflow: its steps run with the state and the dependencies of the outer one",
    ),
    executor_ref: works("a registered function"),
    max_retries: works(),
    skip_on_failure: works(),
    add_workflow_history: works("as the workflow says without it"),
    num_history_runs: works("as the workflow says without it"),
    human_review: works(),
    strict_input_validation: ignored("a step takes any input", [false]),
    __agno_unresolved__: refused("it stands for a step that its writer could not resolve"),
  },
  Steps: { ...named, steps: works(), human_review: works() },
  Parallel: { ...named, steps: works(), human_review: refused(askAround) },
  Loop: {
    ...named,
    steps: works(),
    max_iterations: works(),
    end_condition: works(),
    end_condition_type: registeredFunction,
    forward_iteration_output: works("true without it"),
    human_review: works(),
  },
  Condition: {
    ...named,
    steps: works(),
    else_steps: works(),
    evaluator: works("true, false, or a function"),
    evaluator_type: registeredFunction,
    human_review: works(),
  },
  Router: {
    ...named,
    choices: works(),
    selector: works("without one a person chooses"),
    selector_type: registeredFunction,
    requires_user_input: works("a person chooses, also where there is a selector"),
    user_input_message: works(),
    allow_multiple_selections: works(),
    user_input_schema: ignored("what is asked is which of the choices to take"),
    human_review: works(),
  },
} as const satisfies Readonly<Record<string, ConfigKeys>>;
export type StepType = keyof typeof stepKeys;

/** What a person is asked before a step. */
const asking: ConfigKeys = {
  requires_confirmation: works(),
  confirmation_message: works(),
  requires_user_input: works(),
  user_input_message: works(),
  user_input_schema: works(),
  on_reject: works(),
  timeout: works("seconds"),
  on_timeout: works(),
};
const noIterations = {
  requires_iteration_review: refused(
    "no person is asked between two iterations; ask at the steps of the loop",
    [false],
  ),
  iteration_review_message: ignored("no person is asked between two iterations", "any"),
};
const noOutput = {
  requires_output_review: refused(askPerStep, [false]),
  output_review_message: ignored("no person is asked about an output here", "any"),
  max_retries: ignored("nothing is executed again here", "any"),
  on_error: ignored("it is set at the steps in it", ["fail"]),
};

/** Keys of a step's `human_review`, by the step's type; a type that is missing has none. */
export const reviewKeys = {
  Step: {
    ...asking,
    requires_output_review: works(),
    output_review_message: works(),
    max_retries: works("after an output was refused"),
    on_error: works(),
    ...noIterations,
  },
  Steps: { ...asking, ...noOutput, ...noIterations },
  Loop: { ...asking, ...noOutput, ...noIterations },
  Condition: { ...asking, ...noOutput, ...noIterations },
  Router: {
    requires_user_input: works("a person chooses, also where there is a selector"),
    user_input_message: works(),
    user_input_schema: ignored("what is asked is which of the choices to take"),
    requires_confirmation: refused(askAround, [false]),
    confirmation_message: ignored("no person is asked to confirm a choice", "any"),
    on_reject: ignored("a choice cannot be refused", "any"),
    timeout: ignored("a choice has no time limit"),
    on_timeout: ignored("a choice has no time limit", "any"),
    ...noOutput,
    ...noIterations,
  },
} as const satisfies Partial<Record<StepType, ConfigKeys>>;

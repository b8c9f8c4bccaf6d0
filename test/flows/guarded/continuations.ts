import {
  answered,
  type Carries,
  delegated,
  FLOW,
  type GuardedWay,
  NOT_READ,
  named,
  nothing,
  type Paused,
  run,
  STEPS,
  TEAM,
  tool,
} from "./way.ts";

const callsOf = ({ tools }: Paused, answer: object) =>
  JSON.stringify((tools as object[]).map((call) => ({ ...call, ...answer })));
const requirementsOf = ({ requirements }: Paused, answer: object) =>
  JSON.stringify((requirements as object[]).map((one) => ({ ...one, ...answer })));
const stepsOf = ({ step_requirements }: Paused, answer: object) =>
  JSON.stringify((step_requirements as object[]).slice(-1).map((one) => ({ ...one, ...answer })));
const filled = (words: string) => ({ user_input_schema: [{ name: "words", value: words }] });
const chosen = (words: string) => ({
  user_feedback_schema: [{ question: "Which?", selected_options: [words] }],
});

const ofCalls =
  (path: string) =>
  (name: string, answer: (words: string) => object): GuardedWay =>
  async (client, words) => {
    const { json } = await run(client, path, { message: tool(name) });
    return answered(client, path, json, { tools: callsOf(json, answer(words)) });
  };
/** Of a team: what its leader asks, or what a member of it does. */
const ofRequirements =
  (of: "leader" | "member") =>
  (name: string, answer: (words: string, asked: Paused) => object): GuardedWay =>
  async (client, words) => {
    const message = of === "leader" ? tool(name) : delegated(tool(name));
    const { json } = await run(client, TEAM, { message });
    const asked = json.requirements[0];
    return answered(client, TEAM, json, { requirements: requirementsOf(json, answer(words, asked)) });
  };
const ofSteps =
  (...answers: readonly ((words: string) => object)[]): GuardedWay =>
  async (client, words) => {
    let { json } = await run(client, FLOW, { message: "hello" });
    let text = "";
    for (const answer of answers) {
      text = await answered(client, FLOW, json, { step_requirements: stepsOf(json, answer(words)) });
      json = JSON.parse(text);
    }
    return text;
  };
const begun = () => ({ user_input: { words: "x" } });
const ended =
  (path: string, form: (words: string) => Record<string, string>): GuardedWay =>
  async (client, words) => {
    const { json } = await run(client, path, {});
    return answered(client, path, json, form(words));
  };

export const onlyOf = (kind: string) => nothing(`is what a paused ${kind} asks`);
export const ofEnded = (path: string): Readonly<Record<string, Carries>> => ({
  input: ended(path, (input) => ({ input })),
  "input of a fork": ended(path, (input) => ({ input, fork: "true" })),
  additional_instructions: ended(path, (words) => ({ regenerate: "true", additional_instructions: words })),
});
export const ofTools = (path: string): Readonly<Record<string, Carries>> => {
  const way = ofCalls(path);
  return {
    "tools.tool_call_id": NOT_READ,
    "tools.tool_name": NOT_READ,
    "tools.tool_args": way("confirmed", (words) => ({ confirmed: true, tool_args: { words } })),
    "tools.*": NOT_READ,
    "tools.confirmation_note": way("confirmed", (confirmation_note) => ({
      confirmed: false,
      confirmation_note,
    })),
    "tools.user_input_schema": way("filled_in", filled),
    "tools.user_feedback_schema": way("asked", chosen),
    "tools.result": way("elsewhere", (result) => ({ result })),
  };
};
/** In the requirement itself, of the leader and of a member, and in the call that it is about. */
export const ofTeam = (): Readonly<Record<string, Carries>> => {
  const [way, within] = [ofRequirements("leader"), ofRequirements("member")];
  const inCall =
    (answer: (words: string) => object) =>
    (words: string, { tool_execution }: Paused) => ({
      ...{ user_input_schema: null, user_feedback_schema: null },
      tool_execution: { ...(tool_execution as object), ...answer(words) },
    });
  const refusedWith = (confirmation_note: string) => ({ confirmation: false, confirmation_note });
  const resultOf = (words: string) => ({ external_execution_result: words });
  return {
    "requirements.id": NOT_READ,
    "requirements.member_run_id": NOT_READ,
    "requirements.*": NOT_READ,
    "requirements.confirmation_note": way("confirmed", refusedWith),
    "requirements.confirmation_note of a member": within("confirmed", refusedWith),
    "requirements.external_execution_result": way("elsewhere", resultOf),
    "requirements.external_execution_result of a member": within("elsewhere", resultOf),
    "requirements.user_input_schema": way("filled_in", filled),
    "requirements.user_input_schema of a member": within("filled_in", filled),
    "requirements.user_feedback_schema": way("asked", chosen),
    "requirements.user_feedback_schema of a member": within("asked", chosen),
    "requirements.tool_execution": way(
      "confirmed",
      inCall((confirmation_note) => ({ confirmed: false, confirmation_note })),
    ),
    "requirements.tool_execution, filled in": way("filled_in", inCall(filled)),
    "requirements.tool_execution, a choice": way("asked", inCall(chosen)),
    "requirements.tool_execution, a result": way(
      "elsewhere",
      inCall((result) => ({ result })),
    ),
    "requirements.tool_execution of a member": within(
      "elsewhere",
      inCall((result) => ({ result })),
    ),
  };
};
/** What an agent within a step asks. */
const ofExecutor =
  (name: string, answer: (words: string) => object): GuardedWay =>
  async (client, words) => {
    const { json } = await run(client, STEPS, { message: tool(name) });
    const [{ executor_requirements: asked }] = json.step_requirements;
    const executor_requirements = (asked as object[]).map((one) => ({ ...one, ...answer(words) }));
    return answered(client, STEPS, json, { step_requirements: stepsOf(json, { executor_requirements }) });
  };
export const stepFields: Readonly<Record<string, Carries>> = {
  "step_requirements.step_id": NOT_READ,
  "step_requirements.user_input": ofSteps((words) => ({ user_input: { words } })),
  "step_requirements.user_input_schema": ofSteps(filled),
  "step_requirements.rejection_feedback": ofSteps(begun, (rejection_feedback) => ({
    confirmed: false,
    rejection_feedback,
  })),
  "step_requirements.edited_output": ofSteps(begun, (edited_output) => ({ confirmed: true, edited_output })),
  "step_requirements.selected_choices": nothing("names one of what is offered"),
  "step_requirements.executor_requirements": ofExecutor("confirmed", (confirmation_note) => ({
    confirmation: false,
    confirmation_note,
  })),
  "step_requirements.executor_requirements, filled in": ofExecutor("filled_in", filled),
  "step_requirements.executor_requirements, a choice": ofExecutor("asked", chosen),
  "step_requirements.executor_requirements, a result": ofExecutor("elsewhere", (words) => ({
    external_execution_result: words,
  })),
};
export const idsOfRun = {
  session_id: named,
  user_id: named,
  continue_from: named,
  "*": nothing("is not read"),
};

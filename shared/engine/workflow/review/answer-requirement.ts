import { ServiceError } from "../../../errors.ts";
import type { StepAnswer } from "../../../schemas/runs/pause-answers.ts";
import type { StepRequirement, UserInputValue } from "../../../schemas/runs/workflow-run.ts";
import { ownMember } from "../../../schemas/values/json-values.ts";
import type { StoredRun } from "../../../stores/runs/run-item.ts";
import type { Agent } from "../../define/agent.ts";
import type { Team } from "../../define/team.ts";
import { stepsBelow, type Workflow, type WorkflowStep } from "../../define/workflow.ts";

/**
 * A step's requirement with a person's answer entered. Fields that it does not ask for are ignored.
 *
 * @throws ServiceError BAD_REQUEST for an answer that the requirement does not allow
 */
export function answerRequirement(asked: StepRequirement, answer: StepAnswer): StepRequirement {
  const { confirmed, rejection_feedback, edited_output } = answer;
  return {
    ...asked,
    ...(confirmed != null && { confirmed }),
    ...(rejection_feedback != null && { rejection_feedback }),
    ...(asked.requires_output_review && edited_output != null && { edited_output }),
    ...(asked.requires_user_input && inputOf(asked, answer)),
    ...(asked.requires_route_selection && choicesOf(asked, answer)),
  };
}

/** Values come under `user_input`, or each on its field of `user_input_schema`. */
function inputOf(asked: StepRequirement, { user_input, user_input_schema }: StepAnswer) {
  const onFields = (user_input_schema ?? []).filter(({ value }) => value !== undefined && value !== null);
  const values = { ...Object.fromEntries(onFields.map(({ name, value }) => [name, value])), ...user_input };
  if (Object.keys(values).length === 0) return {};
  const fields = asked.user_input_schema ?? [];
  for (const field of fields) validateValue(asked, field, ownMember(values, field.name));
  const schema = fields.map((field) => ({ ...field, value: ownMember(values, field.name) ?? field.value }));
  return { user_input: values, ...(fields.length > 0 && { user_input_schema: schema }) };
}

function validateValue({ step_id }: StepRequirement, field: UserInputValue, value: unknown): void {
  const { name, required, allowed_values, field_type } = field;
  if (value === undefined || value === null) {
    if (!required) return;
    throw new ServiceError("BAD_REQUEST", `${step_id}: user_input has no value for ${name}`);
  }
  if (allowed_values && !allowed_values.some((one) => JSON.stringify(one) === JSON.stringify(value))) {
    throw new ServiceError(
      "BAD_REQUEST",
      `${step_id}: ${name} must be one of ${JSON.stringify(allowed_values)}`,
    );
  }
  const isOfType = ownMember(typeChecks, field_type);
  if (!isOfType || isOfType(value)) return;
  throw new ServiceError("BAD_REQUEST", `${step_id}: ${name} must be of type ${field_type}`);
}

const typeChecks: Readonly<Record<string, (value: unknown) => boolean>> = {
  str: (value) => typeof value === "string",
  int: Number.isInteger,
  float: (value) => typeof value === "number",
  bool: (value) => typeof value === "boolean",
  list: Array.isArray,
  dict: (value) => typeof value === "object" && !Array.isArray(value),
};

function choicesOf(asked: StepRequirement, { selected_choices }: StepAnswer) {
  if (selected_choices == null || selected_choices.length === 0) return {};
  const foreign = selected_choices.find((choice) => !asked.available_choices?.includes(choice));
  if (foreign !== undefined) {
    throw new ServiceError("BAD_REQUEST", `${asked.step_id}: ${foreign} is none of its choices`);
  }
  if (selected_choices.length > 1 && !asked.allow_multiple_selections) {
    throw new ServiceError("BAD_REQUEST", `${asked.step_id} takes one choice`);
  }
  return { selected_choices };
}

/**
 * The agent or team of the step at a path of a workflow; undefined where there is none (any more).
 *
 * @param path  names of steps from the top, with the round of a loop and the branch of a condition between them
 */
export function executorAt({ steps }: Pick<Workflow, "steps">, path: string): Agent | Team | undefined {
  const found = steps.flatMap((step) => below(step, path) ?? []);
  return found[0];
}

/** Names may contain the separator, so the path is matched against names, not split. */
function below(step: WorkflowStep, path: string): Agent | Team | undefined {
  if (step.type === "Step" && path === step.name) {
    return typeof step.executor === "function" ? undefined : step.executor;
  }
  if (!path.startsWith(`${step.name}/`)) return undefined;
  const rest = path.slice(step.name.length + 1);
  switch (step.type) {
    case "Workflow":
      return executorAt(step.workflow, rest);
    case "Loop":
      return executorAt(step, rest.replace(/^\d+\//, ""));
    case "Condition":
      return rest.startsWith("if/")
        ? executorAt(step, rest.slice("if/".length))
        : executorAt({ steps: step.else_steps ?? [] }, rest.slice("else/".length));
    default:
      return executorAt({ steps: stepsBelow(step).flat() }, rest);
  }
}

/**
 * A workflow's run can be continued only from a pause, with the answers that it waits for.
 *
 * @throws ServiceError CONFLICT for a run in any other state
 */
export function refuseUnlessPaused({ status, run_id }: StoredRun): "resume" {
  if (status === "PAUSED") return "resume";
  throw new ServiceError(
    "CONFLICT",
    `workflow run ${run_id} is ${status}; only a paused one can be continued`,
  );
}

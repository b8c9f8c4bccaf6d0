import type { Requirement, ToolExecution } from "../../shared/schemas/runs/run.ts";
import type { StoredOutput } from "../../shared/schemas/runs/stored-output.ts";
import type { StepRequirement } from "../../shared/schemas/runs/workflow-run.ts";
import type { StoredRun } from "../../shared/stores/runs/run-item.ts";

/** What a paused run asks, and how the answer is given. */
export type Decision = {
  /** Names this pause. */
  readonly id: string;
  /** What would be done, a line each. Undefined where the person in the chat cannot decide it. */
  readonly lines: readonly string[] | undefined;
  readonly form: (approved: boolean) => Readonly<Record<string, string>>;
};

/**
 * Reads a pause. A person in a chat says yes or no; what wants an answer of another form, or an approval that somebody
 * else must give, waits for them.
 */
export function decisionOf({ component_type, output }: StoredRun): Decision {
  if (component_type === "workflow") return decisionOfSteps(output.step_requirements ?? []);
  const requirements = (output.requirements ?? []).filter(({ tool_execution }) => isOpen(tool_execution));
  const calls = requirements.map(({ tool_execution }) => tool_execution);
  return {
    id: requirements.map(({ id }) => id).join(","),
    lines: calls.length > 0 && calls.every(isTheirs) ? calls.map(sayCall) : undefined,
    form: (approved) =>
      component_type === "team"
        ? { requirements: JSON.stringify(requirements.map((one) => decided(one, approved))) }
        : { tools: JSON.stringify(openCalls(output).map((call) => ({ ...call, confirmed: approved }))) },
  };
}

const openCalls = ({ tools = [] }: StoredOutput): ToolExecution[] => tools.filter(isOpen);

const isOpen = (call: ToolExecution): boolean =>
  (call.requires_confirmation === true && call.confirmed === null) ||
  (call.requires_user_input === true && call.answered !== true) ||
  (call.external_execution_required === true && call.result === null);

/** Only a yes or no is wanted, and not that of somebody with leave to approve. */
const isTheirs = ({
  requires_confirmation,
  requires_user_input,
  external_execution_required,
  approval_type,
}: ToolExecution) =>
  requires_confirmation === true &&
  requires_user_input !== true &&
  external_execution_required !== true &&
  approval_type !== "required";

const sayCall = ({ tool_name, tool_args }: ToolExecution): string => {
  // In a fixed order: a stored object comes back in any, and a question that is sent again must be the same.
  const args = Object.entries(tool_args)
    .sort()
    .map(([name, value]) => `${name}: ${shortly(value)}`);
  return `• ${tool_name}${args.length > 0 ? ` (${args.join(", ")})` : ""}`;
};

const shortly = (value: unknown): string => {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.length > 200 ? `${text.slice(0, 199)}…` : text;
};

const decided = (requirement: Requirement, approved: boolean): Requirement => ({
  ...requirement,
  confirmation: approved,
  tool_execution: { ...requirement.tool_execution, confirmed: approved },
});

function decisionOfSteps(requirements: readonly StepRequirement[]): Decision {
  const open = requirements.filter(({ confirmed }) => confirmed === null);
  const isYesOrNo = (step: StepRequirement) =>
    step.requires_confirmation &&
    !step.requires_user_input &&
    !step.requires_route_selection &&
    !step.requires_executor_input;
  return {
    id: open.map(({ step_id }) => step_id).join(","),
    lines:
      open.length > 0 && open.every(isYesOrNo)
        ? open.map(({ confirmation_message, step_name }) => `• ${confirmation_message ?? step_name}`)
        : undefined,
    form: (approved) => ({
      step_requirements: JSON.stringify(open.map((step) => ({ ...step, confirmed: approved }))),
    }),
  };
}

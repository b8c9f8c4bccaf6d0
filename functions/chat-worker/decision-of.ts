import {
  type OpenCall,
  type OpenStep,
  openRequirements,
} from "../../shared/domain/runs/open-requirements.ts";
import type { Requirement } from "../../shared/schemas/runs/run.ts";
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
 * Reads a pause. A person in a chat says yes or no. What needs an answer of another form, or the approval of somebody
 * with the right to give it, cannot be decided there.
 */
export function decisionOf({ component_type, output }: StoredRun): Decision {
  const { calls, steps, failures } = openRequirements(output);
  if (component_type === "workflow") {
    const open = steps.map(({ requirement }) => requirement);
    const isDecidable = steps.length > 0 && failures.length === 0 && steps.every(isYesOrNo);
    return {
      id: [...open, ...failures].map(({ step_id }) => step_id).join(","),
      lines: isDecidable
        ? open.map(({ confirmation_message, step_name }) => `• ${confirmation_message ?? step_name}`)
        : undefined,
      form: (approved) => ({
        step_requirements: JSON.stringify(open.map((step) => ({ ...step, confirmed: approved }))),
      }),
    };
  }
  const answered = (approved: boolean) => calls.map(({ requirement }) => decided(requirement, approved));
  return {
    id: calls.map(({ requirement }) => requirement.id).join(","),
    lines: calls.length > 0 && calls.every(isTheirs) ? calls.map(callLine) : undefined,
    form: (approved) =>
      component_type === "team"
        ? { requirements: JSON.stringify(answered(approved)) }
        : { tools: JSON.stringify(answered(approved).map(({ tool_execution }) => tool_execution)) },
  };
}

/** Only a yes or no is needed, and no approval of somebody else. */
const isTheirs = ({ requirement, questions }: OpenCall): boolean =>
  isOnlyConfirmation(questions) && requirement.tool_execution.approval_type !== "required";

/** A step whose output is to be reviewed is not: the chat does not show the output. */
const isYesOrNo = ({ questions }: OpenStep): boolean => isOnlyConfirmation(questions);

const isOnlyConfirmation = (questions: readonly string[]): boolean =>
  questions.length === 1 && questions[0] === "confirmation";

const callLine = ({ requirement }: OpenCall): string => {
  const { tool_name, tool_args } = requirement.tool_execution;
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

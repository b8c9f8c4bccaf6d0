import { canonicalJson } from "../domain/canonical-json.ts";
import { type OpenCall, type OpenStep, openRequirements } from "../domain/runs/open-requirements.ts";
import type { StepAnswer } from "../schemas/runs/step-answer.ts";
import type { ErrorRequirement, StepRequirement } from "../schemas/runs/workflow-run.ts";
import type { StoredRun } from "../stores/runs/run-item.ts";

/** The answers in a request that continues a run. */
export type Answers = {
  readonly requirements?: readonly object[];
  readonly step_requirements?: readonly StepAnswer[];
};

/** An open requirement of a paused run, and how a text answers it. */
export type Question = {
  /** The question, for a person or a model to read. */
  readonly text: string;
  /** Undefined where the text is no answer to it. */
  readonly answer: (text: string) => Answers | undefined;
};

/** The open questions of a paused run. @source contract, a2a section 5, "how text answers a pause" */
export function openQuestions({ output }: Pick<StoredRun, "output">): Question[] {
  const { calls, steps, failures } = openRequirements(output);
  return [
    ...calls.map((call) => ofCall(call, (answered) => ({ requirements: [answered] }))),
    ...steps.flatMap(ofStep),
    ...failures.map(ofFailure),
  ];
}

function ofCall({ requirement, questions }: OpenCall, wrap: (answered: object) => Answers): Question {
  const { tool_execution: call, user_input_schema = [] } = requirement;
  const named = `${call.tool_name} ${canonicalJson(call.tool_args)}`;
  if (questions.includes("confirmation")) {
    return {
      text: `May ${named} be carried out? Answer yes or no.`,
      answer: (text) => {
        const confirmation = yesOrNo(text);
        return confirmation === undefined ? undefined : wrap({ ...requirement, confirmation });
      },
    };
  }
  const missing = user_input_schema.filter(({ value }) => value === undefined || value === null);
  const [field] = missing;
  if (questions.includes("user_input") && field && missing.length === 1) {
    const filled = (value: string) =>
      user_input_schema.map((one) => (one === field ? { ...one, value } : one));
    return {
      text: `${named} needs ${String(field.name)}${field.description ? ` (${field.description})` : ""}. Answer with its value.`,
      answer: (text) => wrap({ ...requirement, user_input_schema: filled(text) }),
    };
  }
  const names = missing.map(({ name }) => String(name)).join(", ");
  return {
    text: `${named} needs ${names || "a result"}. Answer with a data part that holds the requirement, filled in.`,
    answer: () => undefined,
  };
}

function ofStep({ requirement: step, questions, calls }: OpenStep): Question[] {
  const { step_id, step_name, is_post_execution } = step;
  const answered = (answer: Omit<StepAnswer, "step_id">): Answers => ({
    step_requirements: [{ step_id, is_post_execution, ...answer }],
  });
  if (step.requires_executor_input) {
    const wrap = (requirement: object) =>
      answered({ executor_requirements: [requirement] as NonNullable<StepAnswer["executor_requirements"]> }); // as it was shown
    return calls.map((call) => ofCall(call, wrap));
  }
  if (questions.includes("confirmation") || questions.includes("output_review")) {
    const asked = step.confirmation_message ?? step.output_review_message ?? `May step ${step_name} go on?`;
    return [
      {
        text: `${asked} Answer yes or no.`,
        answer: (text) => {
          const confirmed = yesOrNo(text);
          return confirmed === undefined ? undefined : answered({ confirmed });
        },
      },
    ];
  }
  if (questions.includes("route_selection")) {
    const choices = step.available_choices ?? [];
    return [
      {
        text: `${step.user_input_message ?? `Which way does ${step_name} take?`} Answer with one of: ${choices.join(", ")}.`,
        answer: (text) => {
          const choice = choices.find((one) => one.toLowerCase() === text.trim().toLowerCase());
          return choice === undefined ? undefined : answered({ selected_choices: [choice] });
        },
      },
    ];
  }
  return questions.includes("user_input") ? [ofInput(step, answered)] : [];
}

function ofInput(
  step: StepRequirement,
  answered: (answer: Omit<StepAnswer, "step_id">) => Answers,
): Question {
  const fields = (step.user_input_schema ?? []).filter(({ value }) => value === undefined || value === null);
  const [field] = fields;
  const asked =
    step.user_input_message ?? `Step ${step.step_name} needs ${fields.map(({ name }) => name).join(", ")}.`;
  if (!field || fields.length > 1) {
    return {
      text: `${asked} Answer with a data part that holds the step requirement, filled in.`,
      answer: () => undefined,
    };
  }
  return { text: asked, answer: (text) => answered({ user_input: { [field.name]: text } }) };
}

const ofFailure = ({ step_id, step_name, error_message }: ErrorRequirement): Question => ({
  text: `Step ${step_name} failed: ${error_message}. Answer retry or skip.`,
  answer: (text) => {
    const decision = (["retry", "skip"] as const).find((word) => word === plainWord(text));
    return decision && { step_requirements: [{ step_id, decision }] };
  },
});

const yes = new Set(["yes", "y", "ok", "okay", "true", "approve", "approved", "confirm", "confirmed"]);
const no = new Set(["no", "n", "false", "reject", "rejected", "deny", "denied", "decline", "declined"]);

/** Only an unambiguous word counts. */
function yesOrNo(text: string): boolean | undefined {
  const word = plainWord(text);
  if (yes.has(word)) return true;
  return no.has(word) ? false : undefined;
}

const plainWord = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[.!]+$/, "");

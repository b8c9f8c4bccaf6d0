import type { OpenStep } from "../domain/runs/open-requirements.ts";
import type { StepAnswer } from "../schemas/runs/pause-answers.ts";
import type { ErrorRequirement } from "../schemas/runs/workflow-run.ts";
import { isObject } from "../schemas/values/json-values.ts";
import { filledFields, valuesSchema, yesOrNo } from "./ask-call.ts";

/** The JSON Schema of the answer that a waiting step of a workflow takes. */
export function stepAnswerSchema({ requirement, questions }: OpenStep): Record<string, unknown> {
  const properties = {
    ...(asksYesOrNo(questions) && {
      confirmed: { type: "boolean" },
      rejection_feedback: { type: "string" },
      ...(questions.includes("output_review") && { edited_output: {} }),
    }),
    ...(questions.includes("user_input") && { values: valuesSchema(requirement.user_input_schema ?? []) }),
    ...(questions.includes("route_selection") && {
      selected_choices: {
        type: "array",
        items: { type: "string", enum: requirement.available_choices ?? [] },
      },
    }),
  };
  const required = Object.keys(properties).filter((name) => needed.has(name));
  return { type: "object", properties, required };
}

const needed: ReadonlySet<string> = new Set(["confirmed", "values", "selected_choices"]);

const asksYesOrNo = (questions: OpenStep["questions"]): boolean =>
  questions.includes("confirmation") || questions.includes("output_review");

/** The answer to a waiting step. @returns undefined where the payload is none */
export function answeredStep({ requirement, questions }: OpenStep, payload: unknown): StepAnswer | undefined {
  const { step_id, is_post_execution } = requirement;
  const given = isObject(payload) ? payload : {};
  const confirmed = yesOrNo(payload);
  if (asksYesOrNo(questions) && confirmed === undefined) return undefined;
  const { rejection_feedback, edited_output, selected_choices } = given;
  const choices = typeof payload === "string" ? [payload] : selected_choices;
  const values = isObject(given.values) ? given.values : given;
  if (questions.includes("route_selection") && !isTexts(choices)) return undefined;
  return {
    step_id,
    is_post_execution,
    ...(confirmed !== undefined && { confirmed }),
    ...(typeof rejection_feedback === "string" && { rejection_feedback }),
    ...(edited_output !== undefined && { edited_output }),
    ...(questions.includes("user_input") && {
      user_input: Object.fromEntries(
        filledFields(requirement.user_input_schema ?? [], values).flatMap(({ name, value }) =>
          value === undefined || value === null ? [] : [[String(name), value]],
        ),
      ),
    }),
    ...(questions.includes("route_selection") && isTexts(choices) && { selected_choices: choices }),
  };
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === "string");

/** A step that is refused; undefined for questions that have no "no". */
export const refusedStep = ({ requirement, questions }: OpenStep): StepAnswer | undefined =>
  asksYesOrNo(questions)
    ? {
        step_id: requirement.step_id,
        is_post_execution: requirement.is_post_execution,
        confirmed: false,
      }
    : undefined;

export const failureAnswerSchema = {
  type: "object",
  properties: { decision: { type: "string", enum: ["retry", "skip"] } },
  required: ["decision"],
};

/** The answer to a step that failed and asks what to do. @returns undefined where the payload is none */
export function answeredFailure({ step_id }: ErrorRequirement, payload: unknown): StepAnswer | undefined {
  const said = isObject(payload) ? payload.decision : payload;
  return said === "retry" || said === "skip" ? { step_id, decision: said } : undefined;
}

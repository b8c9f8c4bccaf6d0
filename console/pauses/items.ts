import type { Requirement, RunOutput, StepRequirement, WorkflowRunOutput } from "../../client/index.ts";
import {
  type OpenCallQuestion,
  type OpenStepQuestion,
  openRequirements,
} from "../../shared/domain/runs/open-requirements.ts";
import type { Run } from "../api/kinds.ts";

export type Failure = NonNullable<WorkflowRunOutput["error_requirements"]>[number];

/** One thing that a paused run waits for. */
export type Item =
  | {
      readonly kind: "call";
      readonly key: string;
      readonly asked: Requirement;
      readonly questions: readonly OpenCallQuestion[];
      /** The step of a workflow whose agent or team makes the call. */
      readonly step?: StepRequirement;
      /** A user who may resolve approvals decides; the one who runs it cannot. */
      readonly needsApprover: boolean;
    }
  | {
      readonly kind: "step";
      readonly key: string;
      readonly asked: StepRequirement;
      readonly questions: readonly OpenStepQuestion[];
    }
  | { readonly kind: "failure"; readonly key: string; readonly asked: Failure };

/** Everything that a paused run waits for, in the order in which it is shown. */
export function itemsOf(run: Run): readonly Item[] {
  const open = openRequirements<Requirement, StepRequirement, Failure>(
    "step_results" in run ? (run as WorkflowRunOutput) : { requirements: (run as RunOutput).requirements },
  );
  const call = (
    asked: Requirement,
    questions: readonly OpenCallQuestion[],
    step?: StepRequirement,
  ): Item => ({
    kind: "call",
    key: `${step?.step_id ?? ""}#${asked.id}`,
    asked,
    questions,
    ...(step && { step }),
    needsApprover: asked.tool_execution.approval_type === "required",
  });
  return [
    ...open.calls.map(({ requirement, questions }) => call(requirement, questions)),
    ...open.steps.flatMap(({ requirement: asked, questions, calls }): Item[] =>
      calls.length > 0
        ? calls.map((one) => call(one.requirement, one.questions, asked))
        : [{ kind: "step", key: `${asked.step_id}#${asked.is_post_execution}`, asked, questions }],
    ),
    ...open.failures.map((asked): Item => ({ kind: "failure", key: asked.step_id, asked })),
  ];
}

/** Whether an item is answered with yes or no, in addition to what else it asks. */
export const isDecision = (item: Item): boolean =>
  item.kind === "failure" ||
  (item.kind === "call"
    ? !item.needsApprover && item.questions.includes("confirmation")
    : item.questions.includes("confirmation") || item.questions.includes("output_review"));

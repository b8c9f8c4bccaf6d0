import { defineWorkflow, type StepInput } from "../../../shared/engine/define/index.ts";
import { assistant } from "./agents.ts";

const plainDraft = ({ results }: StepInput): string => String(results["plain draft"]?.content ?? "");

/** Has steps of agents and of functions, in sequence, in parallel and by a condition, and one that a person reviews. */
export const publishReport = defineWorkflow({
  id: "publish-report",
  name: "Publish report",
  description: "Drafts a report and publishes it.",
  quick_prompts: ["The lighthouse"],
  steps: [
    { name: "research", type: "Step", executor: assistant },
    {
      name: "drafts",
      type: "Parallel",
      steps: [
        { name: "plain draft", type: "Step", executor: assistant },
        { name: "outline", type: "Step", executor: ({ previous }) => `Outline: ${String(previous)}` },
      ],
    },
    {
      name: "too long?",
      type: "Condition",
      evaluate: (input) => plainDraft(input).length > 80,
      steps: [{ name: "shorten", type: "Step", executor: assistant }],
      else_steps: [{ name: "keep", type: "Step", executor: plainDraft }],
    },
    {
      name: "publish",
      type: "Step",
      executor: ({ previous }) => `Published: ${String(previous)}`,
      review: {
        requires_confirmation: true,
        confirmation_message: "Publish it?",
        on_reject: "cancel",
      },
    },
  ],
});

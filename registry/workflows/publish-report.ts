import { defineWorkflow, type StepInput } from "@agentplatform/core";
import { assistant } from "../agents/assistant.ts";

const shortReport = 80;

const draftOf = ({ results }: StepInput, name: string): string => String(results[name]?.content ?? "");

/** Research, two drafts in parallel, a condition that shortens a long draft, a person's confirmation, then the report. */
export const publishReport = defineWorkflow({
  id: "publish-report",
  name: "Publish report",
  description:
    "Researches a topic, drafts a report twice, has a person choose to publish it, and publishes it.",
  quick_prompts: ["The history of the lighthouse"],
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
      evaluate: (input) => draftOf(input, "plain draft").length > shortReport,
      steps: [{ name: "shorten", type: "Step", executor: assistant }],
      else_steps: [{ name: "keep", type: "Step", executor: (input) => draftOf(input, "plain draft") }],
    },
    {
      name: "publish",
      type: "Step",
      executor: ({ previous }) => `Published: ${String(previous)}`,
      review: {
        requires_confirmation: true,
        confirmation_message: "Publish this report?",
        on_reject: "cancel",
      },
    },
  ],
});

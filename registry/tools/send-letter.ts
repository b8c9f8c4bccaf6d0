import { defineTool } from "@agentplatform/core";
import * as v from "valibot";

/** Stands for a letter. The person who continues the run confirms or rejects it, and the decision is recorded. */
export const sendLetter = defineTool({
  name: "send_letter",
  description: "Send a letter by post.",
  parameters: v.object({ to: v.pipe(v.string(), v.nonEmpty()), text: v.pipe(v.string(), v.nonEmpty()) }),
  effect: "once",
  requires_confirmation: true,
  approval_type: "audit",
  execute: ({ to }) => `The letter to ${to} is on its way.`,
});

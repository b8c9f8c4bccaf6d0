import * as v from "valibot";
import { defineTool } from "../../shared/engine/define/index.ts";

/** Stands for a letter. Whoever continues the run says yes or no, and that is put on record. */
export const sendLetter = defineTool({
  name: "send_letter",
  description: "Send a letter by post.",
  parameters: v.object({ to: v.pipe(v.string(), v.nonEmpty()), text: v.pipe(v.string(), v.nonEmpty()) }),
  effect: "once",
  requires_confirmation: true,
  approval_type: "audit",
  execute: ({ to }) => `The letter to ${to} is on its way.`,
});

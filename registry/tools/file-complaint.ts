import * as v from "valibot";
import { defineTool } from "../../shared/engine/define/index.ts";

/** The customer's own words, not the model's: a person fills them in. */
export const fileComplaint = defineTool({
  name: "file_complaint",
  description: "File a complaint in the customer's own words.",
  parameters: v.object({ account: v.string(), words: v.string() }),
  effect: "safe",
  user_input_fields: ["words"],
  execute: ({ account, words }) => `Complaint of ${account}: ${words}`,
});

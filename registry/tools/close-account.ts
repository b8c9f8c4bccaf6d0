import * as v from "valibot";
import { defineTool } from "../../shared/engine/define/index.ts";

/** Cannot be undone, so it needs the approval of a person who may grant approvals. */
export const closeAccount = defineTool({
  name: "close_account",
  description: "Close a customer's account for good.",
  parameters: v.object({ account: v.pipe(v.string(), v.nonEmpty()) }),
  effect: "once",
  requires_confirmation: true,
  approval_type: "required",
  execute: ({ account }) => `Account ${account} is closed.`,
});

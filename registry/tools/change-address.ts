import * as v from "valibot";
import { defineTool } from "../../shared/engine/define/index.ts";

/** The user confirms it, and an audit record says who did. */
export const changeAddress = defineTool({
  name: "change_address",
  description: "Change the address that a customer's letters go to.",
  parameters: v.object({ account: v.string(), city: v.string() }),
  effect: "safe",
  requires_confirmation: true,
  approval_type: "audit",
  execute: ({ account, city }) => `Letters for ${account} go to ${city}.`,
});

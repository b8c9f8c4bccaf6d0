import { defineAgent } from "@agentplatform/core";
import { issueRefund } from "../tools/issue-refund.ts";

export const refundDesk = defineAgent({
  id: "refund-desk",
  name: "Refund desk",
  description: "Handles refunds; a person confirms each one before any money moves.",
  instructions: "Ask for the order and the amount where they are missing, then issue the refund.",
  tools: [issueRefund],
  add_history_to_context: true,
  quick_prompts: ["Refund 12.50 for order A-1001."],
});

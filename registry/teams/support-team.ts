import { defineTeam } from "@agentplatform/core";
import { assistant } from "../agents/assistant.ts";
import { refundDesk } from "../agents/refund-desk.ts";

export const supportTeam = defineTeam({
  id: "support-team",
  name: "Support team",
  description: "Answers customers: questions go to the assistant, refunds to the refund desk.",
  instructions:
    "Hand each part of the request to the member who can do it, then answer the customer in one message.",
  mode: "coordinate",
  members: [assistant, refundDesk],
  add_history_to_context: true,
  quick_prompts: ["What is 17.5 plus 24.75, and refund that for order A-1001."],
});

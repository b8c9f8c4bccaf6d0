import { defineTeam } from "../../../shared/engine/define/index.ts";
import { assistant, refundDesk } from "./agents.ts";

export const supportTeam = defineTeam({
  id: "support-team",
  name: "Support team",
  description: "Delegates.",
  instructions: "Hand the request to the member who can do it.",
  mode: "coordinate",
  members: [assistant, refundDesk],
  add_history_to_context: true,
  quick_prompts: ["Add, then refund."],
});

import { defineAgent } from "@agentplatform/core";
import { rollDice } from "../tools/roll-dice.ts";

export const assistant = defineAgent({
  id: "assistant",
  name: "Assistant",
  instructions: "Answer briefly. Roll dice when the user asks for chance.",
  tools: [rollDice],
  add_history_to_context: true,
});

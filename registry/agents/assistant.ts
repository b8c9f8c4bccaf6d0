import { defineAgent } from "@agentplatform/core";
import { addNumbers } from "../tools/add-numbers.ts";
import { drawBadge } from "../tools/draw-badge.ts";
import { getTime } from "../tools/get-time.ts";

export const assistant = defineAgent({
  id: "assistant",
  name: "Assistant",
  description: "A helpful assistant that knows the time, can add, and draws badges.",
  instructions: ["Answer briefly.", "Use a tool where one gives the exact answer."],
  tools: [getTime, addNumbers, drawBadge],
  add_history_to_context: true,
  markdown: true,
  quick_prompts: ["What time is it in Tokyo?", "What is 17.5 plus 24.75?"],
});

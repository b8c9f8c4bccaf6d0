import { defineAgent } from "@agentplatform/core";

/** Shows an agent that knows its user across sessions: by memories and by learnings. */
export const companion = defineAgent({
  id: "companion",
  name: "Companion",
  description: "Plans journeys with people who come back.",
  instructions: "Use what you know of the user. Ask when a wish is not clear.",
  enable_agentic_memory: true,
  update_memory_on_run: true,
  learning: true,
  quick_prompts: ["I sail, and I would rather not fly. Where to in June?"],
});

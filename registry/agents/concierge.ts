import { defineAgent } from "@agentplatform/core";
import { noCardNumbers } from "../hooks/no-card-numbers.ts";
import { noPasswords } from "../hooks/no-passwords.ts";
import { rememberName } from "../tools/remember-name.ts";

/** Shows an agent that knows its session: a guest's name in the session state, a summary, the chat history. */
export const concierge = defineAgent({
  id: "concierge",
  name: "Concierge",
  description: "Looks after the guests of a small hotel.",
  role: "Concierge",
  introduction: "Good day! What may I do for you?",
  instructions: ({ session_state }) => [
    "Be courteous and brief.",
    "guest" in session_state ? "Call the guest {guest}." : "Ask for the guest's name and remember it.",
  ],
  expected_output: "One or two sentences.",
  add_datetime_to_context: true,
  timezone_identifier: "Europe/Zurich",
  add_dependencies_to_context: true,
  tools: [rememberName],
  read_chat_history: true,
  enable_session_summaries: true,
  followups: true,
  pre_hooks: [noCardNumbers],
  post_hooks: [noPasswords],
  quick_prompts: ["I am Maria. When is breakfast?"],
});

import type { Message } from "../../schemas/runs/run.ts";

const MOST_CHARS = 60_000;

/** What was said, as text: one paragraph a message, the newest where not all fits. */
export function transcript(messages: readonly Message[]): string {
  return messages
    .filter(({ role, content }) => (role === "user" || role === "assistant") && content !== undefined)
    .map(({ role, content }) => `${role}: ${content}`)
    .join("\n\n")
    .slice(-MOST_CHARS);
}

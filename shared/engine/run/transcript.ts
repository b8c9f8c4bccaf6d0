import type { Message } from "../../schemas/runs/run.ts";

const MAX_CHARS = 60_000;

/** A conversation as text, one paragraph for each message; the oldest text is cut off when it is too long. */
export function transcript(messages: readonly Pick<Message, "role" | "content">[]): string {
  return messages
    .filter(({ role, content }) => (role === "user" || role === "assistant") && content !== undefined)
    .map(({ role, content }) => `${role}: ${content}`)
    .join("\n\n")
    .slice(-MAX_CHARS);
}

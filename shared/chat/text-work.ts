import type { ChatWork } from "../schemas/runs/chat-message.ts";

type Run = Extract<ChatWork, { kind: "run" }>;

/**
 * A text that says by its first word what becomes of it while a run goes on: `/steer TEXT` or `/queue TEXT`. The word is no
 * part of what is asked.
 *
 * @param sign  what commands begin with
 */
export function textWork(text: string, media: Run["media"], sign: "/" | "!" = "/"): Run {
  const word = text.trimStart();
  const [, busy, said] = /^(steer|queue)(?:@\w+)?\s+(\S.*)$/is.exec(word.slice(1)) ?? [];
  if (!word.startsWith(sign) || busy === undefined || said === undefined) return { kind: "run", text, media };
  return { kind: "run", text: said, media, busy: busy.toLowerCase() === "steer" ? "steer" : "queue" };
}

import { ServiceError } from "../../errors.ts";
import type { Message } from "../../schemas/runs/run.ts";

/** Where a run is continued: after its last message, after the last user message, or after a number of messages. */
export type ContinueFrom = "end" | "last_user" | number;

/**
 * How many messages of a conversation stay.
 *
 * @param from  a negative number counts from the end
 * @throws ServiceError BAD_REQUEST when there are fewer, or no user message
 * @source docs/interface/runs.md 7.4
 */
export function messageCut(messages: readonly Message[], from: ContinueFrom): number {
  if (from === "end") return messages.length;
  if (from === "last_user") {
    const at = messages.findLastIndex(({ role }) => role === "user");
    if (at < 0) throw new ServiceError("BAD_REQUEST", "the run has no user message to continue from");
    return at + 1;
  }
  const cut = from < 0 ? messages.length + from : from;
  if (cut >= 0 && cut <= messages.length) return cut;
  throw new ServiceError("BAD_REQUEST", `the run has ${messages.length} messages; there is no ${from}`);
}

/** The longest part of a conversation's first messages that a model accepts: no call without its result. */
export function wholePart(messages: readonly Message[], cut: number): Message[] {
  const part = messages.slice(0, cut);
  const answered = new Set(part.map(({ tool_call_id }) => tool_call_id));
  const open = part.findIndex(({ tool_calls = [] }) => tool_calls.some(({ id }) => !answered.has(id)));
  return open < 0 ? part : part.slice(0, open);
}

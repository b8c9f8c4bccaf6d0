import type { ChatPart, Sent } from "../../shared/webhooks/chat/chat-port.ts";
import type { Held } from "./chat-worker-deps.ts";
import { writeProgress } from "./leased-message.ts";

const TRIES = 5;

/**
 * What became of parts. `later`: the platform takes nothing for now. `unreachable`: this person gets nothing any more.
 * `refused`: a message that the run itself had put together is none that the platform takes; nothing after it was sent.
 */
export type Delivered = "delivered" | "unreachable" | "refused" | { readonly later: number };

/**
 * Sends the parts of an answer that the platform has not got. Each is noted when the platform has taken it, so whoever
 * goes on after a crash sends the rest.
 *
 *   send part 1 ─▶ record ─▶ send part 2 ─▶ record ─▶ …
 *              └ dies here: part 1 is sent once more. The platforms have no key by which they would know it.
 *
 * @param what  names the parts; the same name stands for the same parts
 */
export async function deliver(held: Held, what: string, parts: readonly ChatPart[]): Promise<Delivered> {
  const { sending } = held.message;
  for (let index = sending?.what === what ? sending.sent : 0; index < parts.length; index += 1) {
    const part = parts[index];
    if (!part) break;
    const sent = await sendWithPatience(held, part, { index, of: parts.length });
    if (!sent.sent && sent.retry !== "never") return { later: sent.retry.after_seconds };
    if (!sent.sent) logRefusal(held, part, sent.code);
    if (!sent.sent && !sent.unreachable && part.kind === "prepared") return "refused";
    if (!sent.sent && (sent.unreachable || part.kind !== "medium")) return "unreachable";
    await writeProgress(held, { sending: { what, sent: index + 1 } });
  }
  return "delivered";
}

/** One text of the bot's own. */
export const say = (held: Held, what: string, text: string): Promise<Delivered> =>
  deliver(held, what, text === "" ? [] : [{ kind: "text", text }]);

/** Waits as long as the platform says, while there is time. */
async function sendWithPatience(
  { deps, port, message, until, signal }: Held,
  part: ChatPart,
  place: Parameters<Held["port"]["send"]>[2],
): Promise<Sent> {
  for (let tryNumber = 1; ; tryNumber += 1) {
    signal.throwIfAborted();
    const sent = await port.send(message, part, place);
    if (sent.sent || sent.retry === "never" || tryNumber >= TRIES) return sent;
    const waitMs = sent.retry.after_seconds * 1000;
    if (deps.clock.now() + waitMs >= until) return sent;
    await deps.clock.sleep(waitMs);
  }
}

function logRefusal({ deps }: Held, { kind }: ChatPart, code: string): void {
  const line = { part: kind, code };
  // The platform does not know our token: nothing gets through to anybody.
  if (code === "190" || code === "401") deps.log.error("a chat platform refuses our token", line);
  else deps.log.warn("a chat platform refused a message", line);
}

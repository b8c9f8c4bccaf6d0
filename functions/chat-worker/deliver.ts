import type { ChatPart, Sent } from "../../shared/chat/index.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { recordSent } from "../../shared/stores/chats/index.ts";
import type { RunAddress } from "../../shared/stores/runs/run-keys.ts";
import type { LeasedMessage } from "./chat-worker-deps.ts";
import { writeProgress } from "./leased-message.ts";

const TRIES = 5;
/** A secret that was changed is read within this time. */
const TOKEN_SECONDS = 300;

/**
 * The result of sending parts. `later`: the platform accepts nothing for now. `unreachable`: this person gets nothing
 * any more. `refused`: the platform does not accept a message that the run itself had built; nothing after it was sent.
 */
export type Delivered = "delivered" | "unreachable" | "refused" | { readonly later: number };

/**
 * Sends the parts of an answer that the platform has not got. Each is recorded when the platform has accepted it, so
 * the next worker sends the rest after a crash.
 *
 *   send part 1 ─▶ record ─▶ send part 2 ─▶ record ─▶ …
 *              └ dies here: part 1 is sent once more. The platforms have no key by which they would know it.
 *
 * @param what     names the parts; the same name stands for the same parts
 * @param answers  the run whose answer they are, where people may judge it by them
 */
export async function deliver(
  leased: LeasedMessage,
  what: string,
  parts: readonly ChatPart[],
  answers?: RunAddress,
): Promise<Delivered> {
  const { sending } = leased.message;
  for (let index = sending?.what === what ? sending.sent : 0; index < parts.length; index += 1) {
    const part = parts[index];
    if (!part) break;
    const sent = await sendWithRetries(leased, part, { index, of: parts.length });
    if (!sent.sent && sent.retry !== "never") return { later: sent.retry.after_seconds };
    if (!sent.sent) logRefusal(leased, part, sent);
    // An operator can repair that, and then everybody gets their answer.
    if (!sent.sent && sent.token_refused) return { later: TOKEN_SECONDS };
    if (!sent.sent && !sent.unreachable && part.kind === "prepared") return "refused";
    if (!sent.sent && (sent.unreachable || part.kind !== "medium")) return "unreachable";
    await writeProgress(leased, { sending: { what, sent: index + 1 } });
    // Last: a message that leads to no run is better than one that is sent twice.
    if (answers && sent.sent && sent.id !== "") await recordPart(leased, sent.id, answers);
  }
  return "delivered";
}

const recordPart = ({ deps, message }: LeasedMessage, id: string, run: RunAddress): Promise<void> => {
  const { owner, target } = message;
  return recordSent(deps.db, { platform: target.platform, owner, id }, run, epochSeconds(deps.clock));
};

/** Sends one text of the bot's own. */
export const sendText = (leased: LeasedMessage, what: string, text: string): Promise<Delivered> =>
  deliver(leased, what, text === "" ? [] : [{ kind: "text", text }]);

/** Waits as long as the platform says, while there is time. */
async function sendWithRetries(
  { deps, port, message, until, signal }: LeasedMessage,
  part: ChatPart,
  place: Parameters<LeasedMessage["port"]["send"]>[2],
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

type Refusal = Extract<Sent, { sent: false }>;

function logRefusal({ deps }: LeasedMessage, { kind }: ChatPart, { code, token_refused }: Refusal): void {
  const line = { part: kind, code };
  deps.log.warn(
    token_refused ? "a chat platform refuses our token" : "a chat platform refused a message",
    line,
  );
}

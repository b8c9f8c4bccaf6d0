import type { Clock } from "../../runtime/clock.ts";
import type { LiveAnswer, Sent } from "../chat/chat-port.ts";
import { type BotClient, sentFrom } from "./bot-client.ts";
import { escapeHtml } from "./escape-html.ts";
import { callWithText, isUnchanged } from "./send-text.ts";
import { MESSAGE_LIMIT } from "./telegram-chunks.ts";
import { telegramHtml } from "./telegram-html.ts";

type Place = Readonly<Record<string, unknown>> & { readonly chat_id: number };

/** How often a message may be edited: about one call a second in a chat, twenty a minute in a group. */
const EVERY_MS = 1_000;
const EVERY_MS_IN_GROUPS = 3_000;
/** Of a longer text only the last characters are shown while it streams. */
const SHOWN = 3_500;

export type ChatLimiter = {
  /** Waits until the chat accepts another call. */
  readonly waitTurn: () => Promise<void>;
  readonly isFree: () => boolean;
};

/** Limits the rate of calls to one chat. @param everyMs least time between two of them */
function limiter(client: BotClient, clock: Clock, everyMs: number): ChatLimiter {
  let nextAt = 0;
  const freeAt = () => Math.max(nextAt, client.blockedUntil());
  return {
    isFree: () => clock.now() >= freeAt(),
    waitTurn: async () => {
      while (clock.now() < freeAt()) await clock.sleep(freeAt() - clock.now());
      nextAt = clock.now() + everyMs;
    },
  };
}

export const limiterFor = (client: BotClient, clock: Clock, isGroup: boolean): ChatLimiter =>
  limiter(client, clock, isGroup ? EVERY_MS_IN_GROUPS : EVERY_MS);

/**
 * Shows an answer while it streams: the first content sends a message, later content edits it. An edit that the rate
 * limit does not allow yet is skipped; the last one has the whole text.
 *
 * @param onSent  called with the id of the message, before the first edit
 * @source contract, chat-webhooks section 9, "streaming"
 */
export function liveAnswer(
  client: BotClient,
  rate: ChatLimiter,
  place: Place,
  known: string | undefined,
  onSent: (id: string) => Promise<void>,
): LiveAnswer {
  let id = known;
  let shown = "";
  return {
    show: async (text, status) => {
      if (text.trim() === "" || !rate.isFree()) return;
      const growing = text.length > SHOWN ? `… ${text.slice(-SHOWN)}` : text;
      const head = statusBlock(status);
      if (`${head}${growing}` === shown || telegramHtml(growing).length + head.length > MESSAGE_LIMIT) return;
      await rate.waitTurn();
      shown = `${head}${growing}`;
      if (id !== undefined) {
        await callWithText(client, "editMessageText", editOf(place, id), growing, head);
        return;
      }
      const sent = sentFrom(await callWithText(client, "sendMessage", place, growing, head));
      if (!sent.sent) return;
      id = sent.id;
      await onSent(id);
    },
  };
}

const editOf = ({ chat_id }: Place, id: string) => ({ chat_id, message_id: Number(id) });

/** Lines about the current steps, above the answer. */
const statusBlock = (status: readonly string[]): string =>
  status.length === 0 ? "" : `<blockquote>${escapeHtml(status.slice(-6).join("\n"))}</blockquote>\n`;

/**
 * Edits the message that showed the streaming answer, so that it holds the whole one.
 *
 * @returns undefined where it cannot be edited: the answer is sent as a new message then
 */
export async function finishLive(
  client: BotClient,
  place: Place,
  id: string,
  markdown: string,
): Promise<Sent | undefined> {
  const called = await callWithText(client, "editMessageText", editOf(place, id), markdown);
  if (called.ok || isUnchanged(called)) return { sent: true, id };
  const sent = sentFrom(called);
  return !sent.sent && sent.retry === "never" && !sent.unreachable ? undefined : sent;
}

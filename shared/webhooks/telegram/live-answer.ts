import type { Clock } from "../../runtime/clock.ts";
import type { LiveAnswer, Sent } from "../chat/chat-port.ts";
import { type BotClient, sentFrom } from "./bot-client.ts";
import { escapeHtml } from "./escape-html.ts";
import { callWithText, isThere } from "./send-text.ts";
import { MESSAGE_LIMIT } from "./telegram-chunks.ts";
import { telegramHtml } from "./telegram-html.ts";

type Place = Readonly<Record<string, unknown>> & { readonly chat_id: number };

/** How often a message may be edited: about one call a second in a chat, twenty a minute in a group. */
const EVERY_MS = 1_000;
const EVERY_MS_IN_GROUPS = 3_000;
/** Above this the growing text is shown by its end. */
const SHOWN = 3_500;

export type Paced = {
  /** Waits until the chat takes another call. */
  readonly turn: () => Promise<void>;
  readonly isFree: () => boolean;
};

/** Keeps the calls of one chat apart. @param everyMs between two of them at least */
function pace(client: BotClient, clock: Clock, everyMs: number): Paced {
  let nextAt = 0;
  const freeAt = () => Math.max(nextAt, client.blockedUntil());
  return {
    isFree: () => clock.now() >= freeAt(),
    turn: async () => {
      while (clock.now() < freeAt()) await clock.sleep(freeAt() - clock.now());
      nextAt = clock.now() + everyMs;
    },
  };
}

export const paceOf = (client: BotClient, clock: Clock, isGroup: boolean): Paced =>
  pace(client, clock, isGroup ? EVERY_MS_IN_GROUPS : EVERY_MS);

/**
 * Shows an answer while it grows: the first content sends a message, what follows edits it. An edit whose turn has not
 * come is left out; the last one says everything.
 *
 * @param begun  is told the id of the message, before the first edit
 * @source contract, chat-webhooks section 9, "streaming"
 */
export function liveAnswer(
  client: BotClient,
  paced: Paced,
  place: Place,
  known: string | undefined,
  begun: (id: string) => Promise<void>,
): LiveAnswer {
  let id = known;
  let shown = "";
  return {
    show: async (text, status) => {
      if (text.trim() === "" || !paced.isFree()) return;
      const growing = text.length > SHOWN ? `… ${text.slice(-SHOWN)}` : text;
      const head = statusBlock(status);
      if (`${head}${growing}` === shown || telegramHtml(growing).length + head.length > MESSAGE_LIMIT) return;
      await paced.turn();
      shown = `${head}${growing}`;
      if (id !== undefined) {
        await callWithText(client, "editMessageText", editOf(place, id), growing, head);
        return;
      }
      const sent = sentFrom(await callWithText(client, "sendMessage", place, growing, head));
      if (!sent.sent) return;
      id = sent.id;
      await begun(id);
    },
  };
}

const editOf = ({ chat_id }: Place, id: string) => ({ chat_id, message_id: Number(id) });

/** What is being done, above the answer. */
const statusBlock = (status: readonly string[]): string =>
  status.length === 0 ? "" : `<blockquote>${escapeHtml(status.slice(-6).join("\n"))}</blockquote>\n`;

/**
 * Puts the whole answer into the message that showed it growing.
 *
 * @returns undefined where it cannot be edited: it is sent anew then
 */
export async function finishLive(
  client: BotClient,
  place: Place,
  id: string,
  markdown: string,
): Promise<Sent | undefined> {
  const called = await callWithText(client, "editMessageText", editOf(place, id), markdown);
  if (called.ok || isThere(called)) return { sent: true, id };
  const sent = sentFrom(called);
  return !sent.sent && sent.retry === "never" && !sent.unreachable ? undefined : sent;
}

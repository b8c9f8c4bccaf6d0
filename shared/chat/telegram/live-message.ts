import type { Sent } from "../chat-port.ts";
import type { GrowingMessage } from "../live-answer.ts";
import { type BotClient, sentFrom } from "./bot-client.ts";
import { callWithText, isUnchanged } from "./send-text.ts";
import { escapeHtml, MESSAGE_LIMIT, telegramHtml } from "./telegram-html.ts";

type Place = Readonly<Record<string, unknown>> & { readonly chat_id: number };

/** How often a message may be edited: about one call a second in a chat, twenty a minute in a group. */
export const EVERY_MS = 1_000;
export const EVERY_MS_IN_GROUPS = 3_000;

/** The message that shows an answer while it streams. */
export const liveMessage = (client: BotClient, place: Place): GrowingMessage => ({
  fits: (text, status) => telegramHtml(text).length + statusBlock(status).length <= MESSAGE_LIMIT,
  post: async (text, status) =>
    sentFrom(await callWithText(client, "sendMessage", place, text, statusBlock(status))),
  edit: (id, text, status) =>
    callWithText(client, "editMessageText", editOf(place, id), text, statusBlock(status)),
});

const editOf = ({ chat_id, reply_markup }: Place, id: string) => ({
  chat_id,
  message_id: Number(id),
  ...(reply_markup !== undefined && { reply_markup }),
});

/** Lines about the current steps, above the answer. */
const statusBlock = (status: readonly string[]): string =>
  status.length === 0 ? "" : `<blockquote>${escapeHtml(status.join("\n"))}</blockquote>\n`;

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

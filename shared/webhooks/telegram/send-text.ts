import type { Sent } from "../chat/chat-port.ts";
import { type BotClient, type Called, sentFrom } from "./bot-client.ts";
import { telegramHtml, telegramPlain } from "./telegram-html.ts";

type Place = Readonly<Record<string, unknown>>;

const isUnparsable = (called: Called): boolean =>
  !called.ok && called.status === 400 && /can't parse entities/i.test(called.description);

/**
 * Sends or edits a text with its format; what Telegram cannot read is sent once more without any mark.
 *
 * @source contract, chat-webhooks section 9, "can't parse entities"
 */
export async function callWithText(
  client: BotClient,
  method: "sendMessage" | "editMessageText",
  place: Place,
  markdown: string,
  status = "",
): Promise<Called> {
  const text = `${status}${telegramHtml(markdown)}`;
  const called = await client.call(method, { ...place, parse_mode: "HTML", text });
  return isUnparsable(called) ? client.call(method, { ...place, text: telegramPlain(markdown) }) : called;
}

/** @param place where to, and what it answers */
export const sendText = async (client: BotClient, place: Place, markdown: string): Promise<Sent> =>
  sentFrom(await callWithText(client, "sendMessage", place, markdown));

/** Whether an edit changed nothing because the text is there already. */
export const isThere = (called: Called): boolean => !called.ok && /not modified/i.test(called.description);

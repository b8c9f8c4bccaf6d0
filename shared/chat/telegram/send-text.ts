import type { Sent } from "../chat-port.ts";
import { type BotClient, type Called, sentFrom } from "./bot-client.ts";
import { telegramHtml, telegramPlain } from "./telegram-html.ts";

type Place = Readonly<Record<string, unknown>>;

const isUnparsable = (called: Called): boolean =>
  !called.ok && called.status === 400 && /can't parse entities/i.test(called.description);

/** Sends or edits a formatted text; if Telegram cannot parse it, the text is sent again without formatting. */
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

/** @param place the chat, and the message that is answered */
export const sendText = async (client: BotClient, place: Place, markdown: string): Promise<Sent> =>
  sentFrom(await callWithText(client, "sendMessage", place, markdown));

/** Whether an edit was refused because the message has this text already. */
export const isUnchanged = (called: Called): boolean =>
  !called.ok && /not modified/i.test(called.description);

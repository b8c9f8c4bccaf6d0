import { markdownChunks } from "../markdown-chunks.ts";
import { telegramHtml } from "./telegram-html.ts";

const SLICE = 4000;
/** Telegram's limit of a message, without tags; counted here with them, so that it is never exceeded. */
export const MESSAGE_LIMIT = 4096;

/** Cuts Markdown into chunks, one for each message. @source docs/interface/chat.md 5.2 */
export const telegramChunks = (markdown: string): string[] =>
  markdownChunks(markdown, { render: telegramHtml, most: MESSAGE_LIMIT, slice: SLICE });

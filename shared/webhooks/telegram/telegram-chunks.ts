import { lexer, type Token } from "marked";
import { splitText } from "../chat/split-text.ts";
import { telegramHtml } from "./telegram-html.ts";

const SLICE = 4000;
/** Telegram's limit of a message, without tags; counted here with them, so that it is never exceeded. */
export const MESSAGE_LIMIT = 4096;
const SHORTEST = 200;

/**
 * Cuts Markdown into chunks, one for each message: between blocks where possible; a code block that is cut is closed and
 * opened again.
 *
 * @source contract, chat-webhooks section 9, "length"
 */
export function telegramChunks(markdown: string, limit = SLICE): string[] {
  const pieces = lexer(markdown).flatMap((token) => piecesOf(token, limit));
  const chunks: string[] = [];
  for (const piece of pieces) {
    const last = chunks[chunks.length - 1];
    if (last !== undefined && last.length + piece.length <= limit) chunks[chunks.length - 1] = last + piece;
    else chunks.push(piece);
  }
  return chunks
    .filter((chunk) => telegramHtml(chunk) !== "")
    .flatMap((chunk) =>
      fits(chunk) || limit <= SHORTEST ? [chunk] : telegramChunks(chunk, Math.floor(limit / 2)),
    );
}

const fits = (chunk: string): boolean => telegramHtml(chunk).length <= MESSAGE_LIMIT;

function piecesOf(token: Token, limit: number): string[] {
  if (token.type !== "code") return splitText(token.raw, limit);
  const [open, close] = [`\`\`\`${token.lang ?? ""}\n`, "\n```\n"];
  const room = limit - open.length - close.length;
  if (token.raw.length <= limit) return [isFenced(token) ? `${open}${token.text}${close}` : token.raw];
  return splitText(token.text, room).map((slice) => `${open}${slice}${close}`);
}

/** A fenced block is written again with both fences: an unclosed one would include the text after it. */
const isFenced = ({ raw }: Token): boolean => raw.trimStart().startsWith("```");

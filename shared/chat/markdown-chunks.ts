import { lexer, type Token } from "marked";
import { splitText } from "./split-text.ts";

const SHORTEST = 200;

export type ChunkLimits = {
  /** A chunk as the platform gets it. */
  readonly render: (markdown: string) => string;
  /** Characters of a rendered chunk at most. */
  readonly most: number;
  /** Characters of Markdown at most. */
  readonly slice: number;
};

/**
 * Cuts Markdown into chunks, one for each message: between blocks where possible; a code block that is cut is closed and
 * opened again.
 */
export function markdownChunks(markdown: string, { render, most, slice }: ChunkLimits): string[] {
  const pieces = lexer(markdown).flatMap((token) => piecesOf(token, slice));
  const chunks: string[] = [];
  for (const piece of pieces) {
    const last = chunks[chunks.length - 1];
    if (last !== undefined && last.length + piece.length <= slice) chunks[chunks.length - 1] = last + piece;
    else chunks.push(piece);
  }
  return chunks.flatMap((chunk) => {
    const { length } = render(chunk);
    if (length === 0) return [];
    return length <= most || slice <= SHORTEST
      ? [chunk]
      : markdownChunks(chunk, { render, most, slice: Math.floor(slice / 2) });
  });
}

function piecesOf(token: Token, limit: number): string[] {
  if (token.type !== "code") return splitText(token.raw, limit);
  const [open, close] = [`\`\`\`${token.lang ?? ""}\n`, "\n```\n"];
  const room = limit - open.length - close.length;
  if (token.raw.length <= limit) return [isFenced(token) ? `${open}${token.text}${close}` : token.raw];
  return splitText(token.text, room).map((slice) => `${open}${slice}${close}`);
}

/** A fenced block is written again with both fences: an unclosed one would include the text after it. */
const isFenced = ({ raw }: Token): boolean => raw.trimStart().startsWith("```");

import type { ReadPart } from "./reader.ts";
import { decodedBlocks } from "./text-encoding.ts";

/** Characters that are cut into chunks at a time. A text of more is read in pieces, so that its size does not matter. */
export const PIECE_CHARS = 500_000;

/** Plain text, as it is. */
export const streamText = (blocks: AsyncIterable<Uint8Array>): AsyncGenerator<ReadPart, undefined> =>
  piecesOf(decodedBlocks(blocks), ["\n\n", "\n", " "]);

/** Markdown, whose pieces begin with a heading where there is one. */
export const streamMarkdown = (blocks: AsyncIterable<Uint8Array>): AsyncGenerator<ReadPart, undefined> =>
  piecesOf(decodedBlocks(blocks), ["\n#", "\n\n", "\n", " "]);

/** @param ends  where a piece may end: before the last of the first mark that occurs in its second half */
async function* piecesOf(
  texts: AsyncIterable<string>,
  ends: readonly string[],
): AsyncGenerator<ReadPart, undefined> {
  let held = "";
  let continues = false;
  for await (const text of texts) {
    held += text;
    while (held.length > PIECE_CHARS) {
      const end = endOf(held, ends);
      yield { text: held.slice(0, end), about: {}, continues };
      continues = true;
      held = held.slice(end);
    }
  }
  if (held !== "") yield { text: held, about: {}, continues };
  return undefined;
}

function endOf(text: string, ends: readonly string[]): number {
  for (const mark of ends) {
    const at = text.lastIndexOf(mark, PIECE_CHARS);
    if (at > PIECE_CHARS / 2) return at;
  }
  const last = text.charCodeAt(PIECE_CHARS - 1);
  return last >= 0xd800 && last <= 0xdbff ? PIECE_CHARS - 1 : PIECE_CHARS;
}

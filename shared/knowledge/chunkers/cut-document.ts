import { type ChunkSizes, type Cut, partsOf } from "./chunker.ts";
import { lastOf, windows } from "./windows.ts";

/** Paragraphs packed up to the size; a longer one by its sentences. */
export const cutDocument: Cut = (passage, sizes) => {
  const { text } = passage;
  if (text.length <= sizes.size) return partsOf(passage, [text]);
  const paragraphs = text.split(/\n\s*\n/).map((paragraph) => paragraph.trim());
  const pieces = paragraphs.flatMap((paragraph) =>
    paragraph.length <= sizes.size ? [paragraph] : packed(sentencesOf(paragraph, sizes), sizes, " "),
  );
  return partsOf(passage, packed(pieces, sizes, "\n\n"));
};

const sentencesOf = (paragraph: string, sizes: ChunkSizes): string[] =>
  (paragraph.match(/[^.!?]+[.!?]*\s*/g) ?? [paragraph])
    .map((sentence) => sentence.trim())
    .flatMap((sentence) => windows(sentence, sizes, (window) => lastOf(window, [" "]) ?? window.length));

/** Neighbouring pieces joined as long as they fit; with an overlap each chunk begins with the end of the one before. */
export function packed(pieces: readonly string[], { size, overlap }: ChunkSizes, between: string): string[] {
  const chunks: string[] = [];
  let chunk = "";
  for (const piece of pieces.filter((one) => one !== "")) {
    const joined = chunk === "" ? piece : `${chunk}${between}${piece}`;
    if (joined.length <= size) {
      chunk = joined;
      continue;
    }
    chunks.push(chunk);
    const tail = overlap > 0 ? chunk.slice(-overlap) : "";
    const overlapped = tail === "" ? piece : `${tail}${between}${piece}`;
    chunk = overlapped.length <= size ? overlapped : piece;
  }
  return chunk === "" ? chunks : [...chunks, chunk];
}

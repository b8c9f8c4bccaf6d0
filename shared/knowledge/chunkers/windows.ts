import type { ChunkSizes } from "./chunker.ts";

/**
 * Cuts a text into windows of at most `size` characters; each begins `overlap` characters before the last one ended.
 *
 * @param cutAt  where to cut a full window: the length of the part to take, from 1 to its own length
 */
export function windows(
  text: string,
  { size, overlap }: ChunkSizes,
  cutAt: (window: string) => number,
): string[] {
  const parts: string[] = [];
  let start = 0;
  while (start < text.length) {
    const window = text.slice(start, start + size);
    const isLast = start + size >= text.length;
    const end = start + (isLast ? window.length : whole(window, cutAt(window)));
    parts.push(text.slice(start, end));
    if (isLast) break;
    start = Math.max(end - overlap, start + 1);
  }
  return parts;
}

/** Shortens a cut that would split a surrogate pair. */
function whole(window: string, length: number): number {
  const code = window.charCodeAt(length - 1);
  const splits = code >= 0xd800 && code <= 0xdbff && length > 1;
  return splits ? length - 1 : length;
}

/** The length up to and including the last occurrence of the first mark that occurs; undefined where none does. */
export function lastOf(window: string, marks: readonly string[]): number | undefined {
  for (const mark of marks) {
    const at = window.lastIndexOf(mark);
    if (at > 0) return at + mark.length;
  }
  return undefined;
}

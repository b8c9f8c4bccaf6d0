/** A piece of text and its origin. */
export type Passage = {
  readonly text: string;
  /** Page, row, heading, …: shown with search results. */
  readonly about: Readonly<Record<string, unknown>>;
};

/** Text of a file in one of the encodings that files are in. @source the byte order mark; without one, UTF-8 */
export function decodedText(bytes: Uint8Array): string {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (!isUtf16) return new TextDecoder("utf-8").decode(bytes);
  return new TextDecoder(bytes[0] === 0xff ? "utf-16le" : "utf-16be").decode(bytes);
}

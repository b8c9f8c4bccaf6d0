import { isAscii } from "node:buffer";
import { TextDecoder } from "node:util";
import { ContentFault } from "../content-fault.ts";

/** Bytes at the beginning of a file that identify its encoding. */
export const HEAD_BYTES = 65_536;

/** The encoding that a byte order mark names. */
function markedEncoding(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : undefined;
}

/** How much of every second byte is zero in UTF-16 of a language with Latin letters, digits or blanks. */
const UTF16_ZEROS = 0.2;

/** UTF-16 by its byte order mark, or because every second byte of much of it is zero. */
export function utf16Of(bytes: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  const marked = markedEncoding(bytes);
  if (marked === "utf-16le" || marked === "utf-16be") return marked;
  const pairs = Math.floor(Math.min(bytes.length, HEAD_BYTES) / 2);
  if (pairs < 2) return undefined;
  let [first, second] = [0, 0];
  for (let at = 0; at < pairs * 2; at += 2) {
    if (bytes[at] === 0) first += 1;
    if (bytes[at + 1] === 0) second += 1;
  }
  const isLittle = second >= pairs * UTF16_ZEROS && first === 0;
  if (!isLittle && (first < pairs * UTF16_ZEROS || second > 0)) return undefined;
  const encoding = isLittle ? "utf-16le" : "utf-16be";
  return hasControls(new TextDecoder(encoding).decode(bytes.subarray(0, pairs * 2))) ? undefined : encoding;
}

/** Bytes of a program may be zero in turns too; their characters are not those of a text. */
const hasControls = (text: string): boolean =>
  [...text].some((one) => one < " " && !["\t", "\n", "\f", "\r"].includes(one));

/** Control characters that text does not have; tabs, line and page ends, and escape sequences are text. */
const isControl = (byte: number): boolean =>
  (byte < 0x20 && (byte < 0x08 || byte > 0x0d) && byte !== 0x1b) || byte === 0x7f;
const MOST_CONTROLS = 0.02;

/** Whether bytes can be text of any encoding. */
export function isText(bytes: Uint8Array): boolean {
  if (utf16Of(bytes) !== undefined) return true;
  const end = Math.min(bytes.length, HEAD_BYTES);
  let controls = 0;
  for (let at = 0; at < end; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === 0) return false;
    if (isControl(byte)) controls += 1;
  }
  return controls <= end * MOST_CONTROLS;
}

/**
 * The encoding of a text, as `TextDecoder` names it: by its byte order mark, UTF-8 where it is valid, else the one that
 * the frequency of its characters suggests, such as Windows-1252, Shift_JIS or GB18030.
 *
 * @param declared  what the file says itself, such as a page in its head
 */
export async function encodingOf(bytes: Uint8Array, declared?: string): Promise<string> {
  const certain = markedEncoding(bytes) ?? utf16Of(bytes) ?? (isUtf8(bytes) ? "utf-8" : undefined);
  if (certain !== undefined) return certain;
  if (declared !== undefined && isKnown(declared)) return declared;
  // When the bundler makes a chunk of a CommonJS package, it keeps only the default export.
  const { default: chardet } = await import("chardet");
  const detected = chardet.detect(bytes.subarray(0, HEAD_BYTES * 4));
  return detected !== null && isKnown(detected) ? detected : "windows-1252";
}

/** A character that is cut off at the end is no fault: a block may end anywhere. */
function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

function isKnown(label: string): boolean {
  try {
    new TextDecoder(label);
    return true;
  } catch {
    return false;
  }
}

/** The text of a file; what it declares is read from the head of an XML document unless it is given. */
export const decodedText = async (bytes: Uint8Array, declared = xmlEncoding(bytes)): Promise<string> =>
  new TextDecoder(await encodingOf(bytes, declared)).decode(bytes);

/** @source Extensible Markup Language 1.0, 2.8 and 4.3.3 */
const xmlEncoding = (bytes: Uint8Array): string | undefined =>
  /^<\?xml\s[^>]*encoding\s*=\s*["']([\w.-]+)/i.exec(
    Buffer.from(bytes.subarray(0, 200)).toString("latin1"),
  )?.[1];

/**
 * The text of a file that comes in blocks. What decides on the encoding is the first block that has more than ASCII.
 *
 * @throws ContentFault where it turns out to be no text
 */
export async function* decodedBlocks(blocks: AsyncIterable<Uint8Array>): AsyncGenerator<string, undefined> {
  let decoder: TextDecoder | undefined;
  for await (const block of blocks) {
    if (!decoder && isAscii(block) && utf16Of(block) === undefined) {
      refuseZeros(block);
      yield Buffer.from(block).toString("latin1");
      continue;
    }
    decoder ??= new TextDecoder(await encodingOf(block));
    if (!decoder.encoding.startsWith("utf-16")) refuseZeros(block);
    yield decoder.decode(block, { stream: true });
  }
  if (decoder) yield decoder.decode();
  return undefined;
}

function refuseZeros(block: Uint8Array): void {
  if (block.includes(0)) throw new ContentFault("The file is no text: it has bytes that no text has.");
}

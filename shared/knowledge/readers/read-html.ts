import { htmlText } from "./html-text.ts";
import type { ReadPart } from "./reader.ts";
import { decodedText } from "./text-encoding.ts";

/** A page names its encoding within its first bytes. @source HTML Living Standard, 4.2.5.4 */
const HEAD_CHARS = 1_024;

/** The text of a page, a line for each block, with its title. */
export async function readHtml(bytes: Uint8Array): Promise<ReadPart[]> {
  const { text, title } = await htmlText(await decodedText(bytes, declaredEncoding(bytes)));
  return [{ text, about: title === undefined ? {} : { title } }];
}

function declaredEncoding(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, HEAD_CHARS)).toString("latin1");
  return /<meta[^>]+charset\s*=\s*["']?\s*([\w-]+)/i.exec(head)?.[1];
}

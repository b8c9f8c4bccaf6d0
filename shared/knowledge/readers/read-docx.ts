import { ContentFault } from "../content-fault.ts";
import type { Reading, ReadPart } from "./reader.ts";
import { type Unzipped, unzip } from "./unzip.ts";

/** The text of a Word document, a blank line between its paragraphs. */
export async function readDocx(bytes: Uint8Array, { budget }: Pick<Reading, "budget">): Promise<ReadPart[]> {
  const { default: mammoth } = await import("mammoth");
  const archive = unzip(bytes, budget);
  try {
    // Its types know bytes alone; an opened archive is what it makes of them, without counting what it unpacks.
    const input = { file: archiveFor(archive) } as unknown as Parameters<typeof mammoth.extractRawText>[0];
    const { value } = await mammoth.extractRawText(input);
    return [{ text: value, about: {} }];
  } catch (error) {
    if (error instanceof ContentFault) throw error;
    throw new ContentFault(
      `The document cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** @source mammoth 1.x, lib/zipfile.js: bytes, or text where an encoding is named, base64 among them */
const archiveFor = ({ exists, read }: Unzipped) => ({
  exists,
  read: async (path: string, encoding?: string): Promise<Uint8Array | string> => {
    const bytes = read(path);
    if (encoding === undefined) return bytes;
    if (encoding === "base64") return Buffer.from(bytes).toString("base64");
    return new TextDecoder(encoding).decode(bytes);
  },
});

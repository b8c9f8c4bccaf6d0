import { ContentFault } from "../content-fault.ts";
import type { Passage } from "./passage.ts";

/** The text of a Word document, a blank line between its paragraphs. */
export async function readDocx(bytes: Uint8Array): Promise<Passage[]> {
  const { default: mammoth } = await import("mammoth");
  try {
    const { value } = await mammoth.extractRawText({ buffer: Buffer.from(bytes) });
    return [{ text: value, about: {} }];
  } catch (error) {
    throw new ContentFault(
      `The document cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

import { ContentFault } from "../content-fault.ts";
import type { Passage } from "./passage.ts";

/** The text of a PDF, page by page. Pages that are pictures have none. */
export async function readPdf(bytes: Uint8Array): Promise<Passage[]> {
  const { extractText } = await import("unpdf");
  try {
    // A copy, because the library transfers the buffer.
    const { text } = await extractText(new Uint8Array(bytes), { mergePages: false });
    return text.map((page, i) => ({ text: page, about: { page: i + 1 } }));
  } catch (error) {
    throw new ContentFault(
      `The PDF cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

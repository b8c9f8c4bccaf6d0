import { ContentFault } from "../content-fault.ts";
import type { ReadPart } from "./reader.ts";

/** The text of a PDF, page by page. Pages that are pictures have none. */
export async function readPdf(bytes: Uint8Array): Promise<ReadPart[]> {
  const pages = await pagesOf(bytes);
  if (pages.every((page) => page.trim() === ""))
    throw new ContentFault(
      "The PDF has no text: its pages are pictures. Have the text recognized (OCR), and add the file again.",
    );
  return pages.map((page, i) => ({ text: page, about: { page: i + 1 } }));
}

async function pagesOf(bytes: Uint8Array): Promise<string[]> {
  const { extractText } = await import("unpdf");
  try {
    // A copy, because the library transfers the buffer.
    const { text } = await extractText(new Uint8Array(bytes), { mergePages: false });
    return text;
  } catch (error) {
    throw new ContentFault(
      `The PDF cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

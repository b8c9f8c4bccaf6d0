import type { Passage } from "../readers/passage.ts";
import type { Cut } from "./chunker.ts";
import { cutDocument } from "./cut-document.ts";

/** One chunk for each section; a longer one by its paragraphs. */
export const cutMarkdown: Cut = async (passage, sizes, embed) => {
  const cut = await Promise.all(sectionsOf(passage).map((section) => cutDocument(section, sizes, embed)));
  return cut.flat();
};

/** A heading begins a section; lines in a fenced block are never headings. */
function sectionsOf({ text, about }: Passage): Passage[] {
  const sections: { lines: string[]; heading: string | undefined }[] = [{ lines: [], heading: undefined }];
  let isFenced = false;
  for (const line of text.split("\n")) {
    if (/^\s*(```|~~~)/.test(line)) isFenced = !isFenced;
    const heading = isFenced ? undefined : /^#{1,6}\s+(.+?)\s*#*\s*$/.exec(line)?.[1];
    if (heading !== undefined) sections.push({ lines: [], heading });
    sections.at(-1)?.lines.push(line);
  }
  return sections.map(({ lines, heading }) => ({
    text: lines.join("\n").trim(),
    about: { ...about, ...(heading !== undefined && { heading }) },
  }));
}

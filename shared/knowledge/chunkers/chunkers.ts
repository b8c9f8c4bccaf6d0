import { type Chunker, type ChunkerKey, type Cut, partsOf } from "./chunker.ts";
import { cutDocument } from "./cut-document.ts";
import { cutMarkdown } from "./cut-markdown.ts";
import { cutSemantic } from "./cut-semantic.ts";
import { lastOf, windows } from "./windows.ts";

/** One chunk for each line that is not blank. */
const cutRows: Cut = ({ text, about }) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((line, i) => ({ text: line, about: { ...about, row_number: i + 1 } }));

/** Cut at the last line's end inside the window, else at the last full stop. */
const cutRecursive: Cut = (passage, sizes) =>
  partsOf(
    passage,
    windows(passage.text, sizes, (window) => lastOf(window, ["\n", ". ", " "]) ?? window.length),
  );

/** White space collapsed; cut at the last blank before the size, or at the size. */
const cutFixedSize: Cut = (passage, sizes) => {
  const text = passage.text.replace(/\s+/g, " ").trim();
  return partsOf(
    passage,
    windows(text, sizes, (window) => lastOf(window, [" "]) ?? window.length),
  );
};

const sizes = { size: 5000, overlap: 0 };

/** Every chunker by its key. @source docs/interface/knowledge.md 6.3 */
export const chunkers: Readonly<Record<ChunkerKey, Chunker>> = {
  FixedSizeChunker: {
    name: "FixedSizeChunker",
    description: "Cuts at the last blank before the size",
    sizes,
    cut: cutFixedSize,
  },
  DocumentChunker: {
    name: "DocumentChunker",
    description: "Packs paragraphs up to the size",
    sizes,
    cut: cutDocument,
  },
  RecursiveChunker: {
    name: "RecursiveChunker",
    description: "Cuts at the last line's end or full stop before the size",
    sizes,
    cut: cutRecursive,
  },
  MarkdownChunker: {
    name: "MarkdownChunker",
    description: "Cuts by headings, then by paragraphs",
    sizes,
    cut: cutMarkdown,
  },
  RowChunker: { name: "RowChunker", description: "One chunk for each line", sizes: undefined, cut: cutRows },
  SemanticChunker: {
    name: "SemanticChunker",
    description: "Cuts where neighbouring sentences are least alike, by the embedder",
    sizes,
    cut: cutSemantic,
  },
};

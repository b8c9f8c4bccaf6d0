import type { Chunker, ChunkerKey } from "./chunker.ts";
import { cutDocument } from "./cut-document.ts";
import { cutFixedSize } from "./cut-fixed-size.ts";
import { cutMarkdown } from "./cut-markdown.ts";
import { cutRecursive } from "./cut-recursive.ts";
import { cutRows } from "./cut-rows.ts";
import { cutSemantic } from "./cut-semantic.ts";

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

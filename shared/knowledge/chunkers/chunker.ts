import type { Passage } from "../readers/passage.ts";

export const chunkerKeys = [
  "FixedSizeChunker",
  "DocumentChunker",
  "RecursiveChunker",
  "MarkdownChunker",
  "RowChunker",
  "SemanticChunker",
] as const;
export type ChunkerKey = (typeof chunkerKeys)[number];

/** How large chunks may be, in characters. */
export type ChunkSizes = { readonly size: number; readonly overlap: number };

export type Cut = (
  passage: Passage,
  sizes: ChunkSizes,
  embed: (texts: readonly string[]) => Promise<number[][]>,
) => Promise<Passage[]> | Passage[];

/** What cuts passages into chunks. */
export type Chunker = {
  readonly name: string;
  readonly description: string;
  /** Undefined where sizes mean nothing to it. */
  readonly sizes: ChunkSizes | undefined;
  readonly cut: Cut;
};

/** Parts of a passage, each with where it is from. What is blank is left out. */
export const partsOf = ({ about }: Passage, texts: readonly string[]): Passage[] =>
  texts
    .map((text) => text.trim())
    .filter((text) => text !== "")
    .map((text) => ({ text, about }));

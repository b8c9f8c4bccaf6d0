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

/** Cuts passages into chunks. */
export type Chunker = {
  readonly name: string;
  readonly description: string;
  /** Undefined for a chunker without sizes. */
  readonly sizes: ChunkSizes | undefined;
  readonly cut: Cut;
};

/** Parts of a passage, each with the passage's origin. Blank ones are left out. */
export const partsOf = ({ about }: Passage, texts: readonly string[]): Passage[] =>
  texts
    .map((text) => text.trim())
    .filter((text) => text !== "")
    .map((text) => ({ text, about }));

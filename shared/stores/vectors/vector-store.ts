import type { FilterExpression } from "../../schemas/knowledge/knowledge-filter.ts";

/** Values that a search can compare: of one key, one or several. */
export type Tags = Readonly<Record<string, TagValue | readonly TagValue[]>>;
export type TagValue = string | number | boolean;

/** What a chunk is besides its vector. */
export type ChunkBody = {
  readonly text: string;
  /** Where in the document it is from: position, page, row. */
  readonly about: Readonly<Record<string, unknown>>;
};

/** A chunk as it is kept. */
export type Chunk = ChunkBody & {
  readonly key: string;
  /** Of length 1. */
  readonly vector: readonly number[];
  readonly tags: Tags;
};

export type Hit = ChunkBody & { readonly key: string };

export type VectorQuery = {
  /** Of length 1. */
  readonly vector: readonly number[];
  /** 1 to 10,000. */
  readonly top: number;
  /** May let through more than it says; see `supported-filter.ts`. */
  readonly filter: FilterExpression;
};

/**
 * Where chunks are kept and found by their vectors. An index holds vectors of one length, and is made by the first chunk
 * that is put into it; one that nobody has written to is empty. Writing a key again replaces its chunk, removing it
 * again does no harm.
 */
export type VectorStore = {
  readonly put: (index: string, chunks: readonly Chunk[]) => Promise<void>;
  /** Those of the chunks that are there, in any order. */
  readonly get: (index: string, keys: readonly string[]) => Promise<Chunk[]>;
  readonly remove: (index: string, keys: readonly string[]) => Promise<void>;
  /** The nearest first, by cosine. */
  readonly query: (index: string, query: VectorQuery) => Promise<Hit[]>;
};

/** Bytes of tags that a chunk may have. @source AWS documentation, S3 Vectors limits: filterable metadata, 2 KB */
export const MAX_TAG_BYTES = 2_048;
/** Keys of tags that a chunk may have, the store's own included. @source the same: metadata keys, 50 */
export const MAX_TAG_KEYS = 50;

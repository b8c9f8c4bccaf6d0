import type { FilterExpression } from "../../schemas/knowledge/knowledge-filter.ts";

/** Values that a search can filter by: one or several for each key. */
export type Tags = Readonly<Record<string, TagValue | readonly TagValue[]>>;
export type TagValue = string | number | boolean;

/** A chunk without its vector. */
export type ChunkBody = {
  readonly text: string;
  /** Where in the document it comes from: position, page, row. */
  readonly about: Readonly<Record<string, unknown>>;
};

/** A chunk as it is stored. */
export type Chunk = ChunkBody & {
  readonly key: string;
  /** Of length 1; empty where no embedder is configured. */
  readonly vector: readonly number[];
  readonly tags: Tags;
};

export type Hit = ChunkBody & { readonly key: string };

export type VectorQuery = {
  /** Of length 1. */
  readonly vector: readonly number[];
  /** 1 to 10,000. */
  readonly top: number;
  /** The result may contain chunks that do not match; see `supported-filter.ts`. */
  readonly filter: FilterExpression;
};

/**
 * Stores chunks and finds them by their vectors. An index has vectors of one dimension, and is created with the first
 * chunk; one without chunks is empty. Writing a key again replaces its chunk; removing is idempotent.
 */
export type VectorStore = {
  readonly put: (index: string, chunks: readonly Chunk[]) => Promise<void>;
  /** The chunks that exist, in any order. */
  readonly get: (index: string, keys: readonly string[]) => Promise<Chunk[]>;
  /** Their texts alone; those that exist, in any order. */
  readonly texts: (index: string, keys: readonly string[]) => Promise<Hit[]>;
  readonly remove: (index: string, keys: readonly string[]) => Promise<void>;
  /** The nearest first, by cosine. */
  readonly query: (index: string, query: VectorQuery) => Promise<Hit[]>;
};

/** Most bytes of tags of a chunk. @source AWS documentation, S3 Vectors limits: filterable metadata, 2 KB */
export const MAX_TAG_BYTES = 2_048;
/** Most keys of tags of a chunk, the store's own included. @source the same: metadata keys, 50 */
export const MAX_TAG_KEYS = 50;

/** Id of the embedder of a deployment that has none. */
export const NO_EMBEDDER = "none";

/** Turns texts into vectors of length 1. Without an embedder they have no numbers, and chunks are found by words alone. */
export type Embedder = {
  /** Vectors can be compared only with those of the same id. */
  readonly id: string;
  readonly provider: string;
  readonly description: string;
  /** Host of the service that embeds; absent where none is called, or its address is not known. */
  readonly server?: string;
  /** @param purpose  what the texts are; a document when absent. Some models embed a query differently. */
  readonly embed: (texts: readonly string[], purpose?: EmbeddingPurpose) => Promise<number[][]>;
};

export type EmbeddingPurpose = "document" | "query";

/** What an embedder is, without loading one. */
export type EmbedderView = Omit<Embedder, "embed">;

/** The same direction with length 1; a fixed direction for the zero vector. */
export function normalized(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector);
  if (length > 0) return vector.map((x) => x / length);
  return vector.map((_, i) => (i === 0 ? 1 : 0));
}

import type { SearchType, VectorStoreName } from "../settings/values/knowledge-bases.ts";
import { type EmbedderView, NO_EMBEDDER } from "./embedders/embedder.ts";
import { searchTypesWith } from "./search-type.ts";

type VectorDb = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly search_types: SearchType[];
};

/** The vector stores, as the registry lists them. */
export const vectorDbs: Readonly<Record<VectorStoreName, Omit<VectorDb, "search_types">>> = {
  dynamodb: {
    id: "dynamodb",
    name: "DynamoDB",
    description: "Vectors in a table, compared one by one: exact, for a few thousand chunks",
  },
  "s3-vectors": {
    id: "s3-vectors",
    name: "S3 Vectors",
    description: "Vectors in Amazon S3 Vectors: approximate, for any number of chunks",
  },
};

const WORDS_ONLY = "No embedder is configured, so there are no vectors: searches go by words";

/** The vector store as clients see it, with the kinds of search that its embedder allows. */
export const vectorDbOf = (store: VectorStoreName, embedder: Pick<EmbedderView, "id">): VectorDb => ({
  ...vectorDbs[store],
  ...(embedder.id === NO_EMBEDDER && { description: WORDS_ONLY }),
  search_types: [...searchTypesWith(embedder)],
});

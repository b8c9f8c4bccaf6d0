import type { VectorStoreName } from "../runtime/knowledge-settings.ts";

type VectorDb = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly search_types: ["vector"];
};

/** The vector stores as clients see them. @source contract, knowledge 5.3 */
export const vectorDbs: Readonly<Record<VectorStoreName, VectorDb>> = {
  dynamodb: {
    id: "dynamodb",
    name: "DynamoDB",
    description: "Vectors in a table, compared one by one: exact, for a few thousand chunks",
    search_types: ["vector"],
  },
  "s3-vectors": {
    id: "s3-vectors",
    name: "S3 Vectors",
    description: "Vectors in Amazon S3 Vectors: approximate, for any number of chunks",
    search_types: ["vector"],
  },
};

import type { VectorStoreName } from "../../settings/values/knowledge-bases.ts";
import type { Db } from "../db.ts";
import { dynamoVectors } from "./dynamo-vectors.ts";
import { s3Vectors } from "./s3-vectors.ts";
import type { VectorStore } from "./vector-store.ts";

export type VectorEnv = {
  readonly VECTOR_STORE: VectorStoreName;
  /** Required for S3 Vectors. */
  readonly VECTOR_BUCKET?: string | undefined;
};

/** Indexes whose names end with this have chunks without vectors, which are in the table everywhere. */
export const WITHOUT_VECTORS = "-words";

/** The vector store of this deployment. @throws Error when its bucket is missing */
export function connectVectors(db: Db, { VECTOR_STORE, VECTOR_BUCKET }: VectorEnv): VectorStore {
  const table = dynamoVectors(db);
  if (VECTOR_STORE === "dynamodb") return table;
  if (!VECTOR_BUCKET) throw new Error("environment is not usable: VECTOR_BUCKET: is missing");
  const bucket = s3Vectors(VECTOR_BUCKET);
  const storeOf = (index: string): VectorStore => (index.endsWith(WITHOUT_VECTORS) ? table : bucket);
  return {
    put: (index, chunks) => storeOf(index).put(index, chunks),
    get: (index, keys) => storeOf(index).get(index, keys),
    texts: (index, keys) => storeOf(index).texts(index, keys),
    remove: (index, keys) => storeOf(index).remove(index, keys),
    query: (index, query) => storeOf(index).query(index, query),
  };
}

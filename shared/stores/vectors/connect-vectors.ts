import type { VectorStoreName } from "../../runtime/knowledge-settings.ts";
import type { Db } from "../db.ts";
import { dynamoVectors } from "./dynamo-vectors.ts";
import { s3Vectors } from "./s3-vectors.ts";
import type { VectorStore } from "./vector-store.ts";

export type VectorEnv = {
  readonly VECTOR_STORE: VectorStoreName;
  /** Required for S3 Vectors. */
  readonly VECTOR_BUCKET?: string | undefined;
};

/** The vector store of this deployment. @throws Error when its bucket is missing */
export function connectVectors(db: Db, { VECTOR_STORE, VECTOR_BUCKET }: VectorEnv): VectorStore {
  if (VECTOR_STORE === "dynamodb") return dynamoVectors(db);
  if (!VECTOR_BUCKET) throw new Error("environment is not usable: VECTOR_BUCKET: is missing");
  return s3Vectors(VECTOR_BUCKET);
}

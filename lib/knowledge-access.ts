import { Stack } from "aws-cdk-lib";
import type { Construct } from "constructs";
import * as v from "valibot";
import { KnowledgeBasesText } from "../shared/runtime/knowledge-settings.ts";
import type { AppConfig } from "./config.ts";
import { type ModelAccess, modelAccess } from "./model-access.ts";

/** What knowledge is kept in and read from, besides tables and the bucket of objects. */
export type KnowledgeAccess = {
  readonly embedder: ModelAccess;
  /** ARN pattern of the indexes of vectors; undefined where a table keeps them. */
  readonly indexes: string | undefined;
  /** Names of the buckets that are sources. */
  readonly sourceBuckets: readonly string[];
};

export function knowledgeAccess(
  scope: Construct,
  { embedder, embedderApiKeySecret, knowledgeBases }: AppConfig,
  vectorBucket: string | undefined,
): KnowledgeAccess {
  const { partition, region, account } = Stack.of(scope);
  const sources = v.parse(KnowledgeBasesText, knowledgeBases).flatMap((base) => base.sources);
  const buckets = sources.flatMap((source) => (source.type === "s3" ? [source.bucket] : []));
  return {
    embedder: modelAccess(scope, { model: embedder, modelApiKeySecret: embedderApiKeySecret }, [
      "bedrock:InvokeModel",
    ]),
    indexes: vectorBucket && `arn:${partition}:s3vectors:${region}:${account}:bucket/${vectorBucket}/index/*`,
    sourceBuckets: [...new Set(buckets)],
  };
}

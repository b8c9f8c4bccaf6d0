import { Stack } from "aws-cdk-lib";
import type { Construct } from "constructs";
import type { AppConfig } from "../config/config.ts";
import type { VectorBucket } from "../storage/vector-bucket.ts";
import { type Access, modelAccess, secretName } from "./model-access.ts";

/** Resources of knowledge, in addition to tables and the bucket of objects. */
export type KnowledgeAccess = {
  readonly embedder: Access;
  /** ARN pattern of the vector indexes, and how findings of the template check show it; undefined where vectors are in a table. */
  readonly indexes: { readonly arn: string; readonly shown: string } | undefined;
  /** The buckets that are sources, and the prefix that each is read below; empty for a whole bucket. */
  readonly sourcePlaces: readonly { readonly bucket: string; readonly prefix: string }[];
  /** ARN patterns of the secrets with credentials of other sources. */
  readonly sourceSecrets: readonly string[];
};

export function knowledgeAccess(
  scope: Construct,
  { embedder, embedderApiKeySecret, knowledgeBases }: AppConfig,
  vectorBucket: VectorBucket | undefined,
): KnowledgeAccess {
  const { partition, region, account } = Stack.of(scope);
  const sources = knowledgeBases.flatMap((base) => base.sources);
  const places = sources.flatMap((source) =>
    source.type === "s3" ? [{ bucket: source.bucket, prefix: source.prefix ?? "" }] : [],
  );
  const secrets = sources.flatMap((source) =>
    source.type === "s3" || source.secret === undefined ? [] : [source.secret],
  );
  return {
    embedder: modelAccess(
      scope,
      { specs: [embedder], secrets: embedderApiKeySecret === undefined ? [] : [embedderApiKeySecret] },
      ["bedrock:InvokeModel"],
    ),
    indexes: vectorBucket && {
      arn: `arn:${partition}:s3vectors:${region}:${account}:bucket/${vectorBucket.name}/index/*`,
      shown: `arn:<AWS::Partition>:s3vectors:<AWS::Region>:<AWS::AccountId>:bucket/${vectorBucket.shownName}/index/*`,
    },
    sourcePlaces: places.filter(
      ({ bucket, prefix }, i) =>
        places.findIndex((other) => other.bucket === bucket && other.prefix === prefix) === i,
    ),
    sourceSecrets: [...new Set(secrets)].map(
      (name) => `arn:${partition}:${secretName(name, region, account)}`,
    ),
  };
}

import { RemovalPolicy, type Stack } from "aws-cdk-lib";
import type { IKey } from "aws-cdk-lib/aws-kms";
import { CfnVectorBucket } from "aws-cdk-lib/aws-s3vectors";
import type { AppConfig } from "../config/config.ts";

/**
 * The bucket for vectors, where S3 Vectors is used. An index is created with its first chunk: only then is the length of
 * the embedder's vectors known.
 *
 * @returns its name; undefined where vectors are in a table
 */
export function createVectorBucket(
  stack: Stack,
  { stage, vectorStore }: AppConfig,
  key: IKey | undefined,
): string | undefined {
  if (vectorStore !== "s3-vectors") return undefined;
  const vectorBucketName = `agent-platform-${stage}-${stack.account}`;
  const bucket = new CfnVectorBucket(stack, "Vectors", {
    vectorBucketName,
    ...(key && { encryptionConfiguration: { sseType: "aws:kms", kmsKeyArn: key.keyArn } }),
  });
  // CloudFormation cannot delete a bucket that is not empty.
  bucket.applyRemovalPolicy(RemovalPolicy.RETAIN);
  return vectorBucketName;
}

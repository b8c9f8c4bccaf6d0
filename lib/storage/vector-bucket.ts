import { Aws, Fn, type Stack } from "aws-cdk-lib";
import type { IKey } from "aws-cdk-lib/aws-kms";
import { CfnVectorBucket } from "aws-cdk-lib/aws-s3vectors";
import type { AppConfig } from "../config/config.ts";
import { removalOf } from "./removal.ts";

/** Reference to the bucket for other stacks. */
export type VectorBucket = {
  readonly name: string;
  /** The name as findings of the template check have it. */
  readonly shownName: string;
  /** In its own stack; undefined where an earlier stack left it. */
  readonly bucket?: CfnVectorBucket;
};

/** Together with the id of its stack, a UUID of 36 letters, a name has 63 letters at most. */
const STAGE_LETTERS = 11;

/**
 * The bucket for vectors, where S3 Vectors is used. An index is created with its first chunk: only then is the length of
 * the embedder's vectors known.
 *
 * Its name holds the id of the stack: a stack that is made again must not find its name taken by the bucket that the one
 * before it left.
 *
 * @returns undefined where vectors are in a table
 */
export function createVectorBucket(
  stack: Stack,
  config: AppConfig,
  key: IKey | undefined,
): VectorBucket | undefined {
  const { stage, vectorStore, retained } = config;
  if (vectorStore !== "s3-vectors") return undefined;
  if (retained.vectors !== undefined) return { name: retained.vectors, shownName: retained.vectors };
  const vectorBucketName = `agent-platform-${stage.slice(0, STAGE_LETTERS)}-${Fn.select(2, Fn.split("/", Aws.STACK_ID))}`;
  const bucket = new CfnVectorBucket(stack, "Vectors", {
    vectorBucketName,
    ...(key && { encryptionConfiguration: { sseType: "aws:kms", kmsKeyArn: key.keyArn } }),
  });
  bucket.applyRemovalPolicy(removalOf(config));
  const shownName = `${stack.stackName}:VectorBucket`;
  const name = stack.exportValue(vectorBucketName, { name: shownName });
  return { name, shownName, bucket };
}

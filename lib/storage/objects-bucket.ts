import { Duration, RemovalPolicy, type Stack } from "aws-cdk-lib";
import type { IKey } from "aws-cdk-lib/aws-kms";
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  HttpMethods,
  ObjectOwnership,
} from "aws-cdk-lib/aws-s3";
import { acknowledge } from "../config/acknowledge.ts";
import type { AppConfig } from "../config/config.ts";

/** The bucket as other stacks refer to it. */
export type Objects = {
  readonly bucketName: string;
  readonly bucketArn: string;
  /** What the template check calls the ARN: a name of our own, because it must be told which finding is accepted. */
  readonly arnExport: string;
};

/**
 * The bucket for what is too large for an item: uploads, long conversations, large results.
 *
 * @decided  No versions: a key is its content's checksum, so nothing is ever written over, and what is deleted with
 *           its session shall be gone. It stays when its stack goes, on every stage: CloudFormation cannot delete a
 *           bucket that holds something, and a function that empties it first would be one more thing to trust.
 */
export function createObjectsBucket(
  stack: Stack,
  { corsAllowedOrigins }: AppConfig,
  key: IKey | undefined,
): Objects {
  const origins = (corsAllowedOrigins ?? "").split(",").filter((origin) => origin !== "");
  const bucket = new Bucket(stack, "Objects", {
    ...(key
      ? { encryption: BucketEncryption.KMS, encryptionKey: key, bucketKeyEnabled: true }
      : { encryption: BucketEncryption.S3_MANAGED }),
    enforceSSL: true,
    minimumTLSVersion: 1.2,
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
    versioned: false,
    lifecycleRules: [
      { id: "abandoned-uploads", abortIncompleteMultipartUploadAfter: Duration.days(1) },
      // Large files that clients send here themselves; what was added is kept elsewhere by then.
      { id: "uploads", prefix: "uploads/", expiration: Duration.days(1) },
    ],
    ...(origins.length > 0 && {
      cors: [
        { allowedMethods: [HttpMethods.PUT], allowedOrigins: origins, allowedHeaders: ["content-type"] },
      ],
    }),
    removalPolicy: RemovalPolicy.RETAIN,
  });
  acknowledge(bucket, {
    "AwsSolutions-S1":
      "Only the service's own functions reach it; who asked for what is in their logs. A second bucket for access logs would cost more than this one.",
  });
  const arnExport = `${stack.stackName}:ObjectsArn`;
  const bucketArn = stack.exportValue(bucket.bucketArn, { name: arnExport });
  return { bucketName: bucket.bucketName, bucketArn, arnExport };
}

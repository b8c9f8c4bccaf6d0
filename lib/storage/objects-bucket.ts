import { Duration, type Stack } from "aws-cdk-lib";
import type { IKey } from "aws-cdk-lib/aws-kms";
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  HttpMethods,
  type LifecycleRule,
  ObjectOwnership,
} from "aws-cdk-lib/aws-s3";
import { acknowledge } from "../config/acknowledge.ts";
import type { AppConfig } from "../config/config.ts";
import { removalOf } from "./removal.ts";

/** References to the bucket for other stacks. */
export type Objects = {
  readonly bucketName: string;
  readonly bucketArn: string;
  /** Export name of the ARN: set by us, because accepting a finding of the template check needs it. */
  readonly arnExport: string;
  /** In its own stack. */
  readonly bucket: Bucket;
};

/**
 * The bucket for data too large for an item: uploads, long conversations, large results.
 *
 * @decided  Versions where the tables have a past: what was deleted with its session stays for as long as they keep it, so
 *           that a stage can be taken back to an instant (docs/restore.md). A key is its content's checksum, so hardly
 *           anything is ever overwritten.
 */
export function createObjectsBucket(stack: Stack, config: AppConfig, key: IKey | undefined): Objects {
  const origins = uploadingOrigins(config);
  const { objects: bucketName } = config.retained;
  const bucket = new Bucket(stack, "Objects", {
    ...(bucketName !== undefined && { bucketName }),
    ...(key
      ? { encryption: BucketEncryption.KMS, encryptionKey: key, bucketKeyEnabled: true }
      : { encryption: BucketEncryption.S3_MANAGED }),
    enforceSSL: true,
    minimumTLSVersion: 1.2,
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
    versioned: !config.disposable,
    lifecycleRules: lifecycleRules(config),
    ...(origins.length > 0 && {
      cors: [
        { allowedMethods: [HttpMethods.PUT], allowedOrigins: origins, allowedHeaders: ["content-type"] },
      ],
    }),
    removalPolicy: removalOf(config),
  });
  acknowledge(bucket, {
    "AwsSolutions-S1":
      "Only the service's own functions reach it; who asked for what is in their logs. A second bucket for access logs would cost more than this one.",
  });
  const arnExport = `${stack.stackName}:ObjectsArn`;
  const bucketArn = stack.exportValue(bucket.bucketArn, { name: arnExport });
  return { bucketName: bucket.bucketName, bucketArn, arnExport, bucket };
}

/** As long as DynamoDB keeps the past of a table. */
const PAST_DAYS = 35;

function lifecycleRules({ disposable }: AppConfig): LifecycleRule[] {
  const day = Duration.days(1);
  const past = (days: Duration) => (disposable ? {} : { noncurrentVersionExpiration: days });
  return [
    { id: "abandoned-uploads", abortIncompleteMultipartUploadAfter: day },
    // Large files that clients upload themselves; those added to a knowledge base have been copied by then.
    { id: "uploads", prefix: "uploads/", expiration: day, ...past(day) },
    ...(disposable
      ? []
      : [{ id: "past", expiredObjectDeleteMarker: true, ...past(Duration.days(PAST_DAYS)) }]),
  ];
}

/**
 * Where pages come from that may send files to an address which the service has signed: those of the setting, and the page
 * for operators. Without a domain of one's own its origin is known only after the deployment, in a stack that needs this
 * bucket; then every origin may. An upload is allowed by the signature in its address alone, of which a browser adds
 * nothing by itself.
 */
function uploadingOrigins({ console, corsAllowedOrigins, domainName }: AppConfig): string[] {
  const configured = corsAllowedOrigins ?? [];
  if (console === "off") return configured;
  return domainName === undefined ? ["*"] : [`https://${domainName}`, ...configured];
}

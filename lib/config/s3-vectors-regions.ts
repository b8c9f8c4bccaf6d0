/**
 * Regions that have S3 Vectors, as of 2025-12-02, when it became generally available. AWS adds some now and then: whoever
 * knows of one sets `vectorStore`, and adds it here.
 *
 * @source Amazon S3 user guide, "S3 Vectors AWS Regions, endpoints, and quotas"
 */
export const s3VectorsRegions: readonly string[] = [
  "ap-northeast-1",
  "ap-northeast-2",
  "ap-south-1",
  "ap-southeast-1",
  "ap-southeast-2",
  "ca-central-1",
  "eu-central-1",
  "eu-north-1",
  "eu-west-1",
  "eu-west-2",
  "eu-west-3",
  "us-east-1",
  "us-east-2",
  "us-west-2",
];
export const S3_VECTORS_REGIONS_OF = "2025-12-02";

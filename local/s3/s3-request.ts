import type { AwsRequest } from "../iam/required-permissions.ts";

/** Reads which S3 operation a request is for, with the bucket in the path. What is not known here is nobody's right. */
export function s3RequestOf(method: string, url: string): AwsRequest {
  const { pathname, searchParams } = new URL(url, "http://s3");
  const [Bucket = "", ...parts] = pathname.slice(1).split("/").map(decodeURIComponent);
  const Key = parts.join("/");
  const operation = (Key === "" ? onBucket(method, searchParams) : onObject[method]) ?? "Unknown";
  if (Key !== "") return { service: "s3", operation, body: { Bucket, Key } };
  const given = (name: string) => searchParams.get(name) ?? undefined;
  const listing = {
    Prefix: given("prefix") ?? "",
    Delimiter: given("delimiter"),
    MaxKeys: given("max-keys"),
    ContinuationToken: given("continuation-token"),
  };
  return { service: "s3", operation, body: { Bucket, ...listing } };
}

const onObject: Readonly<Record<string, string>> = {
  PUT: "PutObject",
  GET: "GetObject",
  HEAD: "HeadObject",
  DELETE: "DeleteObject",
};

const onBucket = (method: string, query: URLSearchParams): string | undefined =>
  method === "GET" && query.get("list-type") === "2" ? "ListObjectsV2" : undefined;

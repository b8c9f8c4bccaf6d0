import type { AwsRequest } from "../iam/required-permissions.ts";

/** Reads which S3 operation a request is for, with the bucket in the path. No role may call an unknown operation. */
export function s3RequestOf(method: string, url: string, copySource?: string | string[]): AwsRequest {
  const { pathname, searchParams } = new URL(url, "http://s3");
  const [Bucket = "", ...parts] = pathname.slice(1).split("/").map(decodeURIComponent);
  const Key = parts.join("/");
  const operation = (Key === "" ? onBucket(method, searchParams) : onObject[method]) ?? "Unknown";
  const parameter = (name: string) => searchParams.get(name) ?? undefined;
  const ResponseContentType = parameter("response-content-type");
  if (operation === "PutObject" && typeof copySource === "string") {
    const CopySource = decodeURIComponent(copySource).replace(/^\//, "");
    return { service: "s3", operation: "CopyObject", body: { Bucket, Key, CopySource } };
  }
  if (Key !== "") return { service: "s3", operation, body: { Bucket, Key, ResponseContentType } };
  const listing = {
    Prefix: parameter("prefix") ?? "",
    Delimiter: parameter("delimiter"),
    MaxKeys: parameter("max-keys"),
    ContinuationToken: parameter("continuation-token"),
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

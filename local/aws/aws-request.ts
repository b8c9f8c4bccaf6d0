import type { IncomingMessage } from "node:http";
import type { AwsRequest } from "../iam/required-permissions.ts";
import { s3RequestOf } from "../s3/s3-request.ts";
import { schedulerRequestOf } from "../scheduler/scheduler-request.ts";

const targets: Readonly<Record<string, string>> = {
  DynamoDB_20120810: "dynamodb",
  AmazonSQS: "sqs",
  secretsmanager: "secretsmanager",
};

/** Reads which service and operation a request is for; undefined when that cannot be told. */
export function requestOf(incoming: IncomingMessage, body: Buffer): AwsRequest | undefined {
  const target = incoming.headers["x-amz-target"];
  if (typeof target === "string") {
    const [prefix = "", operation = ""] = target.split(".");
    const service = targets[prefix];
    return service ? { service, operation, body: JSON.parse(body.toString()) } : undefined;
  }
  if (/\/s3vectors\/aws4_request/.test(incoming.headers.authorization ?? "")) {
    const operation = (incoming.url ?? "").slice(1);
    return { service: "s3vectors", operation, body: JSON.parse(body.toString() || "{}") };
  }
  // S3 names its operations by nothing but method and path; the signature says that it is meant.
  if (
    /(\/|%2F)s3(\/|%2F)aws4_request/.test(`${incoming.headers.authorization ?? ""} ${incoming.url ?? ""}`)
  ) {
    return s3RequestOf(incoming.method ?? "", incoming.url ?? "/");
  }
  if (/\/scheduler\/aws4_request/.test(incoming.headers.authorization ?? "")) {
    return schedulerRequestOf(incoming.method ?? "", incoming.url ?? "/", body);
  }
  const invoked = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/.exec(incoming.url ?? "")?.[1];
  if (invoked === undefined) return undefined;
  return {
    service: "lambda",
    operation: "InvokeFunction",
    body: { FunctionName: decodeURIComponent(invoked) },
  };
}

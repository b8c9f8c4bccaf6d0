import type { AwsRequest } from "../iam/required-permissions.ts";
import { lambdaRequestOf } from "../lambda/lambda-api.ts";
import { s3RequestOf } from "../s3/s3-request.ts";
import { schedulerRequestOf } from "../scheduler/scheduler-request.ts";
import type { AwsHttpRequest } from "./aws-http.ts";

const targets: Readonly<Record<string, string>> = {
  DynamoDB_20120810: "dynamodb",
  AmazonSQS: "sqs",
  secretsmanager: "secretsmanager",
  Logs_20140328: "logs",
  AWSEvents: "events",
  AWSStepFunctions: "states",
};

/** Reads which service and operation a request is for; undefined when it is unknown. */
export function requestOf({ method, url, headers, body }: AwsHttpRequest): AwsRequest | undefined {
  const target = headers["x-amz-target"];
  const { authorization = "" } = headers;
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (typeof target === "string") {
    const [prefix = "", operation = ""] = target.split(".");
    const service = targets[prefix];
    return service ? { service, operation, body: JSON.parse(bytes.toString()) } : undefined;
  }
  if (/\/s3vectors\/aws4_request/.test(authorization)) {
    return { service: "s3vectors", operation: url.slice(1), body: JSON.parse(bytes.toString() || "{}") };
  }
  // S3 operations are given by method and path only, so the service is read from the signature.
  if (/(\/|%2F)s3(\/|%2F)aws4_request/.test(`${authorization} ${url}`))
    return s3RequestOf(method, url, headers["x-amz-copy-source"]);
  if (/\/scheduler\/aws4_request/.test(authorization)) return schedulerRequestOf(method, url, bytes);
  return lambdaRequestOf(method, url);
}

import type { AwsReply } from "../aws/aws-http.ts";
import type { AwsRequest } from "../iam/required-permissions.ts";
import { type FunctionModel, functionNamed } from "../template/functions.ts";
import type { LambdaHost } from "./lambda-host.ts";
import type { Outcome } from "./start-thread.ts";
import { isThrottled } from "./throttling.ts";

/** An operation of the Lambda API, by what its request says. */
const operations: readonly (readonly [method: string, path: RegExp, operation: string])[] = [
  ["POST", /^\/2015-03-31\/functions\/([^/]+)\/invocations$/, "InvokeFunction"],
  ["GET", /^\/2015-03-31\/functions\/([^/]+)\/versions$/, "ListVersionsByFunction"],
  ["GET", /^\/2015-03-31\/functions\/([^/]+)\/aliases\/([^/]+)$/, "GetAlias"],
  ["DELETE", /^\/2015-03-31\/functions\/([^/]+)$/, "DeleteFunction"],
];

/** Reads a request of the Lambda API; undefined when it is none of those that are known here. */
export function lambdaRequestOf(method: string, url: string): AwsRequest | undefined {
  const { pathname, searchParams } = new URL(url, "http://lambda");
  for (const [verb, path, operation] of operations) {
    const [, name, alias] = (verb === method && path.exec(pathname)) || [];
    if (name === undefined) continue;
    const Qualifier = searchParams.get("Qualifier") ?? undefined;
    return {
      service: "lambda",
      operation,
      body: {
        FunctionName: decodeURIComponent(name),
        ...(Qualifier !== undefined && { Qualifier }),
        ...(alias !== undefined && { Name: decodeURIComponent(alias) }),
      },
    };
  }
  return undefined;
}

/** What the Lambda API answers, as far as functions here use it. */
export async function answerLambda(
  { operation, body }: AwsRequest,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  event: string,
  { functions, lambda }: { readonly functions: readonly FunctionModel[]; readonly lambda: LambdaHost },
): Promise<AwsReply> {
  const fn = functionNamed(functions, String(body.FunctionName));
  const qualifier = body.Qualifier === undefined ? undefined : String(body.Qualifier);
  switch (operation) {
    case "ListVersionsByFunction":
      return json(200, {
        Versions: lambda.versions(fn).map(({ version, publishedAt }) => ({
          FunctionName: fn.name,
          Version: version,
          LastModified: new Date(publishedAt).toISOString(),
        })),
      });
    case "GetAlias": {
      const FunctionVersion = lambda.liveVersion(fn);
      if (FunctionVersion === undefined) return notFound(`${fn.arn}:${body.Name}`);
      return json(200, { AliasArn: `${fn.arn}:${body.Name}`, Name: body.Name, FunctionVersion });
    }
    case "DeleteFunction":
      if (qualifier === undefined || qualifier === lambda.liveVersion(fn)) {
        const message = "A function of the template, and a version behind an alias, cannot be deleted.";
        return failure(409, "ResourceConflictException", message);
      }
      return lambda.deleteVersion(fn, qualifier)
        ? { status: 204, headers: {}, body: "" }
        : notFound(`${fn.arn}:${qualifier}`);
    default:
      return invoke(fn, qualifier, headers, event, lambda);
  }
}

async function invoke(
  fn: FunctionModel,
  qualifier: string | undefined,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  event: string,
  lambda: LambdaHost,
): Promise<AwsReply> {
  if (qualifier !== undefined && !lambda.hasVersion(fn, qualifier)) return notFound(`${fn.arn}:${qualifier}`);
  if (headers["x-amz-invocation-type"] === "Event") {
    void lambda.invokeAsync(fn, event || "{}", qualifier);
    return { status: 202, headers: {}, body: "" };
  }
  const done = await lambda.invoke(fn, { event: () => event || "{}" }, qualifier);
  if (isThrottled(done)) return tooMany(done);
  if (done?.ok) return { status: 200, headers: jsonType, body: done.payload };
  return {
    status: 200,
    headers: { ...jsonType, "x-amz-function-error": "Unhandled" },
    body: JSON.stringify(done?.error ?? null),
  };
}

const jsonType = { "content-type": "application/json" };

const json = (status: number, body: object): AwsReply => ({
  status,
  headers: jsonType,
  body: JSON.stringify(body),
});

const failure = (status: number, type: string, Message: string): AwsReply => ({
  status,
  headers: { ...jsonType, "x-amzn-errortype": type },
  body: JSON.stringify({ Type: "User", Message }),
});

const tooMany = (refused: Outcome | undefined): AwsReply => ({
  status: 429,
  headers: { ...jsonType, "x-amzn-errortype": "TooManyRequestsException" },
  body: JSON.stringify({
    Type: "User",
    Message: "Rate Exceeded.",
    Reason: refused?.ok === false ? refused.error.errorMessage : undefined,
  }),
});

const notFound = (arn: string): AwsReply =>
  failure(404, "ResourceNotFoundException", `Function not found: ${arn}`);

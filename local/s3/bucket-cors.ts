import type { AwsHttpRequest, AwsReply } from "../aws/aws-http.ts";

/** What pages of some origins may do with a bucket. @source S3 documentation, "Elements of a CORS configuration" */
export type CorsRule = {
  readonly origins: readonly string[];
  readonly methods: readonly string[];
  readonly headers: readonly string[];
};

/** The rules of each bucket, by its name. */
export type BucketCors = ReadonlyMap<string, readonly CorsRule[]>;

/** What a browser receives: the whole answer to its question before the request, or headers of the answer to it. */
export type CorsAnswer =
  | { readonly preflight: AwsReply }
  | { readonly headers: Readonly<Record<string, string>> };

/**
 * Answers a browser as the bucket does.
 *
 * @returns undefined for what no browser sends from another origin, and for what is for no bucket
 */
export function corsAnswer(
  { method, url, headers }: AwsHttpRequest,
  rules: BucketCors,
): CorsAnswer | undefined {
  const { origin } = headers;
  if (typeof origin !== "string") return undefined;
  const ofBucket = rules.get(decodeURIComponent(url.split(/[/?]/)[1] ?? ""));
  if (!ofBucket) return undefined;
  const asked = method === "OPTIONS" ? String(headers["access-control-request-method"] ?? "") : method;
  const names = listOf(method === "OPTIONS" ? headers["access-control-request-headers"] : undefined);
  const rule = ofBucket.find(
    (one) =>
      one.methods.includes(asked) &&
      one.origins.some((allowed) => allowed === "*" || allowed === origin) &&
      names.every((name) => one.headers.some((allowed) => allowed === "*" || allowed.toLowerCase() === name)),
  );
  if (method !== "OPTIONS") return { headers: rule ? allowedBy(rule, origin) : {} };
  if (!rule) return { preflight: { status: 403, headers: {}, body: "" } };
  const allowed = { ...allowedBy(rule, origin), "access-control-allow-headers": names.join(", ") };
  return { preflight: { status: 200, headers: allowed, body: "" } };
}

const allowedBy = ({ origins, methods }: CorsRule, origin: string): Record<string, string> => ({
  "access-control-allow-origin": origins.includes("*") ? "*" : origin,
  "access-control-allow-methods": methods.join(", "),
  vary: "Origin, Access-Control-Request-Headers, Access-Control-Request-Method",
});

const listOf = (header: unknown): string[] =>
  String(header ?? "")
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "");

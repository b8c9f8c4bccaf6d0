import { createHash, createHmac } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/** A request whose signature is in its URL. `problem` is an S3 error code. */
export type Presigned = { readonly accessKey: string; readonly problem: string | undefined };

/**
 * Checks a presigned URL as the service does: that it has not expired, and that everything that was signed is
 * unchanged, the signed headers included.
 *
 * @param secret  the secret of every access key on this machine
 * @param nowMs   epoch milliseconds
 * @returns       undefined for a request that is not presigned
 * @source AWS documentation, Signature Version 4, "Authenticating requests: using query parameters"
 */
export function readPresigned(
  method: string,
  target: string,
  headers: IncomingHttpHeaders,
  secret: string,
  nowMs: number,
): Presigned | undefined {
  const url = new URL(target, "http://s3");
  const query = url.searchParams;
  const signature = query.get("X-Amz-Signature");
  if (signature === null) return undefined;
  const [accessKey = "", day = "", region = "", service = ""] = (query.get("X-Amz-Credential") ?? "").split(
    "/",
  );
  const at = query.get("X-Amz-Date") ?? "";
  const names = (query.get("X-Amz-SignedHeaders") ?? "").split(";");
  const canonical = [
    method,
    url.pathname,
    canonicalQuery(query),
    ...names.map((name) => `${name}:${String(headers[name] ?? "").trim()}`),
    "",
    names.join(";"),
    "UNSIGNED-PAYLOAD",
  ].join("\n");
  const scope = `${day}/${region}/${service}/aws4_request`;
  const toSign = ["AWS4-HMAC-SHA256", at, scope, sha256(canonical)].join("\n");
  const key = [day, region, service, "aws4_request"].reduce<string | Buffer>(hmac, `AWS4${secret}`);
  if (hmac(key, toSign).toString("hex") !== signature) return { accessKey, problem: "SignatureDoesNotMatch" };
  const expiresMs = instantOf(at) + Number(query.get("X-Amz-Expires")) * 1000;
  return { accessKey, problem: nowMs > expiresMs ? "AccessDenied" : undefined };
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** `20261121T101500Z` as epoch milliseconds. */
const instantOf = (at: string): number =>
  Date.parse(at.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));

function canonicalQuery(query: URLSearchParams): string {
  return [...query]
    .filter(([name]) => name !== "X-Amz-Signature")
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join("&");
}

const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

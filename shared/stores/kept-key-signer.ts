import { createHmac, createSecretKey, hash, type KeyObject } from "node:crypto";
import type { DynamoDBClientConfig } from "@aws-sdk/client-dynamodb";

type Credentials = {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
};
type Config = { readonly credentials: () => Promise<Credentials>; readonly region: () => Promise<string> };
type Signer = Exclude<DynamoDBClientConfig["signer"], undefined | ((...args: never[]) => unknown)>;

/** What must be signed; the rest are the HTTP client's and the retries'. */
const isSigned = (header: string): boolean =>
  header === "host" || header === "content-type" || header.startsWith("x-amz-");

/** The key of a day in a region, which four rounds of HMAC make from the secret key. */
type Kept = { readonly of: string; readonly key: KeyObject };

/**
 * Signs the requests of one client. The SDK's own signer makes the canonical form of any request of any service, which is a third
 * of what a call to DynamoDB costs; this one knows that it is a POST without a query, and keeps the key of the day.
 *
 * @param config  of the client, whose credentials may change while the process lives
 * @source AWS, Signature Version 4 signing process; docs/decisions/2026-11-22-local-speed.md
 */
export function keptKeySigner(config: () => Config): Signer {
  let kept: Kept | undefined;
  return {
    sign: async (request, { signingDate = new Date() } = {}) => {
      const { accessKeyId, secretAccessKey, sessionToken } = await config().credentials();
      const region = await config().region();
      const { headers, body, path } = request;
      const date = new Date(signingDate).toISOString().replace(/[-:]|\.\d{3}/g, "");
      const scope = `${date.slice(0, 8)}/${region}/dynamodb/aws4_request`;
      const of = `${secretAccessKey} ${scope}`;
      if (kept?.of !== of) kept = { of, key: derivedKey(secretAccessKey, scope) };
      headers["x-amz-date"] = date;
      if (sessionToken !== undefined) headers["x-amz-security-token"] = sessionToken;
      const signed = Object.keys(headers).filter(isSigned).sort();
      const list = signed.join(";");
      const lines = signed.map((name) => `${name}:${headers[name]}\n`).join("");
      const canonical = `POST\n${path}\n\n${lines}\n${list}\n${hash("sha256", body)}`;
      const text = `AWS4-HMAC-SHA256\n${date}\n${scope}\n${hash("sha256", canonical)}`;
      const signature = createHmac("sha256", kept.key).update(text).digest("hex");
      headers.authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${list}, Signature=${signature}`;
      return request;
    },
  };
}

const derivedKey = (secret: string, scope: string): KeyObject =>
  createSecretKey(
    scope
      .split("/")
      .reduce((key, part) => createHmac("sha256", key).update(part).digest(), Buffer.from(`AWS4${secret}`)),
  );

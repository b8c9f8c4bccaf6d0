import { createHmac } from "node:crypto";

export type SharedKeyRequest = {
  readonly url: URL;
  readonly account: string;
  /** Base64. */
  readonly key: string;
  /** Sent with the request: those that begin with `x-ms-`, in lower case. */
  readonly headers: Readonly<Record<string, string>>;
};

/**
 * The `authorization` header of a GET without a body.
 *
 * @source Microsoft's documentation, "Authorize with Shared Key", Blob service, versions since 2015-02-21
 */
export function sharedKeyAuthorization({ url, account, key, headers }: SharedKeyRequest): string {
  const method = "GET";
  // Encoding, language, length, MD5, type, date, four conditions and range: this request has none of them.
  const unused = Array.from({ length: 11 }, () => "");
  const named = Object.entries(headers)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}:${value}`);
  const parameters = [...new Set(url.searchParams.keys())]
    .toSorted()
    .map((name) => `${name.toLowerCase()}:${url.searchParams.getAll(name).toSorted().join(",")}`);
  const resource = [`/${account}${url.pathname}`, ...parameters];
  const text = [method, ...unused, ...named, ...resource].join("\n");
  const signature = createHmac("sha256", Buffer.from(key, "base64")).update(text, "utf8").digest("base64");
  return `SharedKey ${account}:${signature}`;
}

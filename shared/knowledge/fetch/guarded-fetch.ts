import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { type Address, checkedAddresses, pinnedTo } from "../../outbound/index.ts";
import { ContentFault } from "../content-fault.ts";
import { FinalResponse, isRetryable, RetryableResponse } from "./answers.ts";

export const MAX_FETCHED_BYTES = 50_000_000;
const MAX_REDIRECTS = 5;
const MAX_MS = 60_000;

export type Fetched = {
  readonly bytes: Uint8Array;
  /** From the server; empty where it sends none. */
  readonly mime_type: string;
  /** The address after all redirects. */
  readonly url: string;
  /** The server has nothing newer than what the request's conditions name; there are no bytes then. */
  readonly unchanged: boolean;
  /** What the server says of this version. */
  readonly etag: string | undefined;
  readonly last_modified: string | undefined;
};

/** How a request calls itself, by which the rules of a site name it. */
export const USER_AGENT = "agent-platform";

export type FetchRules = {
  /** Hosts, with their ports, that may be fetched although their address is not public. */
  readonly allowedHosts: readonly string[];
  /** Sent to the first origin only, not after a redirect to another host or protocol. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent by POST, which follows no redirect. GET when absent. */
  readonly body?: string;
};

/**
 * Fetches an address that a user or another service named. The host is resolved once, all its addresses are checked, and
 * the connection is made to one of them: a DNS server that answers differently the second time (DNS rebinding) changes
 * nothing. Each redirect is checked in the same way.
 *
 *   address ─▶ http or https, no credentials in it ─▶ resolved ─▶ all public ─▶ connected to a checked address
 *      ▲                                                                            │
 *      └──────────────────────────────── redirect, at most 5 ──────────────────────┘
 *
 * @throws ContentFault naming what is wrong with the address, `FinalResponse` with the server's status; after any other
 *         error, such as `RetryableResponse`, a retry may succeed
 */
export async function guardedFetch(url: string, rules: FetchRules): Promise<Fetched> {
  const signal = AbortSignal.timeout(MAX_MS);
  let at: URL = parsedUrl(url);
  let headers = rules.headers ?? {};
  for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
    const addresses = await addressesOf(at, rules.allowedHosts);
    const response = await send(at, { addresses, headers, body: rules.body, signal });
    const { statusCode = 0, headers: responseHeaders } = response;
    if (statusCode >= 300 && statusCode < 400 && responseHeaders.location && rules.body === undefined) {
      response.destroy();
      const next = parsedUrl(responseHeaders.location, at);
      if (next.origin !== at.origin) headers = {};
      at = next;
      continue;
    }
    const unchanged = statusCode === 304;
    if (unchanged || (statusCode >= 200 && statusCode < 300)) {
      return {
        bytes: await bodyOf(response),
        mime_type: responseHeaders["content-type"] ?? "",
        url: at.href,
        unchanged,
        etag: responseHeaders.etag,
        last_modified: responseHeaders["last-modified"],
      };
    }
    response.destroy();
    throw isRetryable(statusCode, responseHeaders)
      ? new RetryableResponse(at.host, statusCode, responseHeaders)
      : new FinalResponse(at.host, statusCode);
  }
  throw new ContentFault(`The address cannot be read: more than ${MAX_REDIRECTS} redirects.`);
}

/** @throws ContentFault for an address that may not be fetched */
export function parsedUrl(text: string, base?: URL): URL {
  const url = URL.parse(text.trim(), base?.href);
  if (!url) throw new ContentFault("The address is malformed.");
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new ContentFault("Only http and https addresses are fetched.");
  }
  if (url.username !== "" || url.password !== "")
    throw new ContentFault("An address must not carry a password.");
  return url;
}

async function addressesOf(url: URL, allowedHosts: readonly string[]): Promise<readonly Address[]> {
  const checked = await checkedAddresses(url, allowedHosts);
  if ("addresses" in checked) return checked.addresses;
  throw new ContentFault(
    checked.refused === "not_public"
      ? `The address is not public: ${url.hostname} is not fetched.`
      : `The address cannot be read: there is no host ${url.hostname.replace(/^\[|\]$/g, "")}.`,
  );
}

type Outgoing = {
  readonly addresses: readonly Address[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly signal: AbortSignal;
};

function send(url: URL, { addresses, headers, body, signal }: Outgoing): Promise<IncomingMessage> {
  const request = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      method: body === undefined ? "GET" : "POST",
      lookup: pinnedTo(addresses),
      headers: { "user-agent": USER_AGENT, accept: "*/*", "accept-encoding": "identity", ...headers },
      agent: false,
      signal,
    });
    outgoing.on("response", resolve);
    outgoing.on("error", (error) => reject(faultOf(error, url, signal)));
    outgoing.end(body);
  });
}

/** No server listens at this address, or it does not speak HTTP. */
const UNREACHABLE = new Set(["ECONNREFUSED", "ENOTFOUND", "EHOSTUNREACH", "ENETUNREACH", "EPROTO"]);

function faultOf(error: Error, { host }: URL, signal: AbortSignal): Error {
  if (signal.aborted)
    return new ContentFault(`The address cannot be read: ${host} took longer than ${MAX_MS / 1000} s.`);
  const code = "code" in error ? String(error.code) : "";
  if (UNREACHABLE.has(code) || code.startsWith("ERR_TLS") || code.startsWith("HPE_")) {
    return new ContentFault(`The address cannot be read: ${host} does not answer.`);
  }
  return error;
}

async function bodyOf(response: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_FETCHED_BYTES) {
      response.destroy();
      throw new ContentFault(`The address cannot be read: it holds more than ${MAX_FETCHED_BYTES} bytes.`);
    }
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}
